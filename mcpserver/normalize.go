package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// inputSchema is the part of a tool's input schema that the normaliser obeys.
type inputSchema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

type property struct {
	Type string   `json:"type"`
	Enum []string `json:"enum"`
}

// normalize turns the arguments of a call as clients send them into what the
// schema says. It repairs only what has one reading (null is absent, "30" is
// 30) and refuses the rest by name, so that no value changes silently.
func (s *inputSchema) normalize(raw json.RawMessage) (*Arguments, error) {
	given, err := splitObject("arguments", raw)
	if err != nil {
		return nil, err
	}
	args := &Arguments{values: make(map[string]any, len(given))}
	for _, m := range given {
		prop, known := s.Properties[m.name]
		if !known || isNull(m.value) {
			continue
		}
		if args.values[m.name], err = prop.convert(m.name, m.value); err != nil {
			return nil, err
		}
	}
	if err := s.judgeUnknown(args, given); err != nil {
		return nil, err
	}
	return args, s.checkRequired(args)
}

func (s *inputSchema) checkRequired(args *Arguments) error {
	for _, name := range s.Required {
		if _, ok := args.values[name]; !ok {
			return invalidArgument("%s is missing. It must be a %s. Arguments of this tool: %s.",
				name, s.Properties[name].Type, s.names())
		}
	}
	return nil
}

func (s *inputSchema) names() string {
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// member is one name and value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// splitObject gives the members of a JSON object in their order; nothing and
// null are the empty object. A name must not come twice: which value counts
// would be anybody's guess.
func splitObject(what string, raw json.RawMessage) ([]member, error) {
	if len(raw) == 0 || isNull(raw) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, invalidArgument("%s must be a JSON object, got %s.", what, kindOf(raw))
	}
	var members []member
	seen := map[string]bool{}
	for dec.More() {
		var m member
		name, err := dec.Token()
		if err == nil {
			m.name = name.(string)
			err = dec.Decode(&m.value)
		}
		switch {
		case err != nil:
			return nil, invalidArgument("%s is not valid JSON: %v.", what, err)
		case seen[m.name]:
			return nil, invalidArgument("%s holds %s twice.", what, quote(m.name))
		}
		seen[m.name] = true
		members = append(members, m)
	}
	return members, nil
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// kindOf names the JSON type of a value with its article.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
