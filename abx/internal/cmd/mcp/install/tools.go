package install

import "github.com/agentsandbox/agent-sandbox/mcpserver"

// Tool is a line of the list of registered tools.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// summaries are the short texts of the list; the server's own descriptions are
// written for models.
var summaries = map[string]string{
	"create_sandbox": "Create a cloud sandbox",
	"run_code":       "Execute code",
	"run_command":    "Execute a command",
	"read_file":      "Read a file",
	"write_file":     "Write a file",
	"list_files":     "List files",
	"kill_sandbox":   "Destroy a sandbox",
}

// tools lists what the server offers, in its order. A tool without a summary has
// its title.
func tools() []Tool {
	var out []Tool
	for _, t := range mcpserver.Tools() {
		text := summaries[t.Name]
		if text == "" {
			text = t.Title
		}
		out = append(out, Tool{Name: t.Name, Description: text})
	}
	return out
}
