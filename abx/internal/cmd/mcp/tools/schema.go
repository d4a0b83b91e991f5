package tools

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// schema is what the table shows of an input schema.
type schema struct {
	Properties map[string]any `json:"properties"`
	Required   []string       `json:"required"`
}

func inputSchema(t *mcp.Tool) *schema {
	s := &schema{}
	if data, err := json.Marshal(t.InputSchema); err == nil {
		_ = json.Unmarshal(data, s) // a schema that does not decode has nothing to show
	}
	return s
}

// names are the required arguments in their own order, then the others by name.
func (s *schema) names() []string {
	names := slices.Clone(s.Required)
	var optional []string
	for name := range s.Properties {
		if !slices.Contains(s.Required, name) {
			optional = append(optional, name)
		}
	}
	slices.Sort(optional)
	return append(names, optional...)
}
