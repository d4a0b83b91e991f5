package mcpserver

import "strings"

// aliases are names that other tools of this kind use for arguments of ours.
var aliases = map[string]string{
	"workdir": "cwd", "workingdirectory": "cwd", "dir": "cwd", "directory": "cwd",
	"cmd": "command", "shellcommand": "command", "script": "code", "source": "code",
	"lang": "language", "sandbox": "sandbox_id", "id": "sandbox_id",
	"env": "envs", "environment": "envs", "envvars": "envs",
	"file": "path", "filename": "path", "filepath": "path",
	"text": "content", "contents": "content", "data": "content",
	"timeoutseconds": "timeout", "timeoutsec": "timeout", "timeoutms": "timeout",
}

// unknown judges an argument that the schema does not know. What looks like a
// misspelt one is refused, for ignoring it would run the call on the wrong
// sandbox or in the wrong directory; the rest is ignored and said so.
func (s *inputSchema) unknown(args *Arguments, name string) error {
	if meant := s.nearest(name); meant != "" {
		return invalidArgument("%s is not an argument of this tool; did you mean %s? Arguments of this tool: %s.",
			name, meant, s.names())
	}
	args.notes = append(args.notes, "Unknown argument "+name+" was ignored. Arguments of this tool: "+s.names()+".")
	return nil
}

// nearest gives the argument that a wrong name stands for, or "".
func (s *inputSchema) nearest(name string) string {
	folded := fold(name)
	if meant := aliases[folded]; s.has(meant) {
		return meant
	}
	for candidate := range s.Properties {
		if distance(folded, fold(candidate)) <= len(candidate)/4 {
			return candidate
		}
	}
	return ""
}

func (s *inputSchema) has(name string) bool {
	_, ok := s.Properties[name]
	return ok
}

// fold drops what spellings of one name differ in: case, underscores, dashes.
func fold(name string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
}

// distance is the number of single-byte edits between two names.
func distance(a, b string) int {
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
