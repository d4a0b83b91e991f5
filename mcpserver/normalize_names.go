package mcpserver

import (
	"slices"
	"strings"
)

// aliases are names that other tools of this kind use for arguments of ours,
// without case, underscores and dashes.
var aliases = map[string]string{
	"workdir": "cwd", "workingdirectory": "cwd", "workingdir": "cwd", "dir": "cwd", "directory": "cwd",
	"cmd": "command", "shellcommand": "command", "script": "code", "source": "code",
	"lang": "language", "sandbox": "sandbox_id", "id": "sandbox_id",
	"env": "envs", "environment": "envs", "envvars": "envs",
	"file": "path", "filename": "path", "filepath": "path",
	"text": "content", "contents": "content", "filecontent": "content",
	"timeoutseconds": "timeout", "timeoutsec": "timeout", "timeoutms": "timeout",
	"startline": "start_line", "maxlines": "max_lines", "limit": "max_lines",
}

// judgeUnknown looks at the arguments that the schema does not know. What looks
// like a misspelt one is refused, for ignoring it would run the call on the
// wrong sandbox or in the wrong directory; the rest is ignored and named.
func (s *inputSchema) judgeUnknown(args *Arguments, given []member) error {
	var ignored []string
	for _, m := range given {
		if _, known := s.Properties[m.name]; known {
			continue
		}
		if meant := s.nearest(m.name, args); meant != "" {
			return invalidArgument("%s is not an argument of this tool; did you mean %s? Arguments of this tool: %s.",
				quote(m.name), meant, s.names())
		}
		ignored = append(ignored, quote(m.name))
	}
	if len(ignored) > 0 {
		args.notes = append(args.notes, "Ignored what is not an argument of this tool: "+strings.Join(ignored, ", ")+".")
	}
	return nil
}

// nearest gives the argument that a wrong name stands for, or "". One that was
// given under its own name is meant only by another spelling of that name.
func (s *inputSchema) nearest(name string, args *Arguments) string {
	folded := fold(name)
	if _, ok := s.Properties[aliases[folded]]; ok {
		return aliases[folded]
	}
	var near []string
	for candidate := range s.Properties {
		d := distance(folded, fold(candidate))
		if _, given := args.values[candidate]; d == 0 || !given && d <= len(candidate)/4 {
			near = append(near, candidate)
		}
	}
	if len(near) == 0 {
		return ""
	}
	return slices.Min(near)
}

// fold drops what spellings of one name differ in: case, underscores, dashes.
func fold(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// distance is the number of single-byte edits between two names; of two very
// long ones it is not worth knowing.
func distance(a, b string) int {
	const long = 64
	if len(a) > long || len(b) > long {
		return long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
