package ideinstall

import (
	"path"
	"slices"
	"strings"
)

// ours reports whether an entry runs this server: its program is abx, or "mcp"
// is among its arguments, or it is a remote entry, which has no program. Fields
// that a client or a user added do not count.
func ours(entry map[string]any) bool {
	program, args := programOf(entry)
	return program == "" || isAbx(program) || slices.Contains(args, "mcp")
}

// runsAbx is the stricter question for entries under other names.
func runsAbx(entry map[string]any) bool {
	program, args := programOf(entry)
	return isAbx(program) && slices.Contains(args, "mcp")
}

// programOf reads the command of an entry in either of its spellings.
func programOf(entry map[string]any) (program string, args []string) {
	switch c := entry["command"].(type) {
	case string:
		return c, stringsOf(entry["args"])
	case []any:
		if list := stringsOf(c); len(list) > 0 {
			return list[0], list[1:]
		}
	}
	return "", nil
}

func isAbx(program string) bool {
	base := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(strings.ToLower(base), ".exe") == "abx"
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
