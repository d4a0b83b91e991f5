// Package tools implements `abx mcp tools`.
package tools

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	return &cobra.Command{
		Use:     "tools",
		Short:   "Show the tools that the MCP server offers",
		Long:    "Shows the tools with their arguments. With --json, as tools/list answers them:\n{\"tools\": [{name, title, description, inputSchema, outputSchema, annotations}]}.",
		Example: "$ abx mcp tools\n$ abx --json mcp tools",
		Args:    cmdutil.Args(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return run(f) },
	}
}

func run(f *cmdutil.Factory) error {
	all := mcpserver.Tools()
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, map[string]any{"tools": all})
	}
	w := tabwriter.NewWriter(f.IO.Out, 0, 0, 2, ' ', 0)
	for _, t := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, t.Title, arguments(t))
	}
	return w.Flush()
}

// arguments lists a tool's argument names, required ones first and unmarked,
// optional ones in brackets.
func arguments(t *mcp.Tool) string {
	schema := inputSchema(t)
	var out string
	for _, name := range schema.names() {
		if out != "" {
			out += " "
		}
		if slices.Contains(schema.Required, name) {
			out += name
		} else {
			out += "[" + name + "]"
		}
	}
	return out
}
