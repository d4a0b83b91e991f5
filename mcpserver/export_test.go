package mcpserver

import (
	"encoding/json"
)

// Normalize runs the normaliser of a tool.
func Normalize(name, arguments string) (values map[string]any, notes []string, err error) {
	for i := range catalog {
		if catalog[i].name != name {
			continue
		}
		var schema inputSchema
		if err := json.Unmarshal(catalog[i].schema("input"), &schema); err != nil {
			return nil, nil, err
		}
		args, err := schema.normalize(json.RawMessage(arguments))
		if err != nil {
			return nil, nil, err
		}
		return args.values, args.notes, nil
	}
	return nil, nil, invalidArgument("no tool %q", name)
}

// CodeOf gives the code that the error mapper finds.
func CodeOf(err error) Code { return mapError(err).Code }
