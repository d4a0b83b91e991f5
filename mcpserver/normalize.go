package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	given, err := splitObject(raw)
	if err != nil {
		return nil, err
	}
	args := &Arguments{values: make(map[string]any, len(given))}
	for _, entry := range given {
		prop, known := s.Properties[entry.name]
		if !known {
			if err := s.unknown(args, entry.name); err != nil {
				return nil, err
			}
			continue
		}
		if isNull(entry.value) {
			continue
		}
		if args.values[entry.name], err = prop.convert(entry.name, entry.value); err != nil {
			return nil, err
		}
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

type entry struct {
	name  string
	value json.RawMessage
}

// splitObject gives the members of a JSON object in their order; nothing and
// null are the empty object.
func splitObject(raw json.RawMessage) ([]entry, error) {
	if len(raw) == 0 || isNull(raw) {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, invalidArgument("arguments must be a JSON object, got %s.", kindOf(raw))
	}
	var entries []entry
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		e := entry{name: name.(string)}
		if err := dec.Decode(&e.value); err != nil {
			return nil, fmt.Errorf("read argument %s: %w", e.name, err)
		}
		entries = append(entries, e)
	}
	return entries, nil
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
