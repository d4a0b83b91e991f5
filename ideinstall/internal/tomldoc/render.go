package tomldoc

import (
	"strings"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// inline writes a value on one line.
func inline(v any) string {
	switch v := v.(type) {
	case conf.Object:
		return inlineTable(v)
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = quote(s)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case bool:
		if v {
			return "true"
		}
		return "false"
	case string:
		return quote(v)
	}
	panic("tomldoc: a value of an unknown type") // conf.Op lists the types
}

func inlineTable(o conf.Object) string {
	if len(o) == 0 {
		return "{}"
	}
	parts := make([]string, len(o))
	for i, m := range o {
		parts[i] = keyText(m.Key) + " = " + inline(m.Value)
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}
