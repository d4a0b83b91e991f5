package call

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// errorKey is where the server puts the machine-readable part of an error.
const errorKey = "agent-sandbox/error"

// Output is the answer of `abx --json mcp call`.
type Output struct {
	StructuredContent any  `json:"structuredContent"`
	IsError           bool `json:"isError"`
	Error             any  `json:"error"` // {code, message, retryable}, null without an error
}

// show prints a result. A tool's error is its text too; it ends the command
// with ExitFailure.
func show(f *cmdutil.Factory, result *mcp.CallToolResult) error {
	if f.JSON {
		out := Output{StructuredContent: result.StructuredContent, IsError: result.IsError, Error: result.Meta[errorKey]}
		if err := cmdutil.WriteJSON(f.IO.Out, out); err != nil {
			return err
		}
		return outcome(result)
	}
	if _, err := fmt.Fprintln(f.IO.Out, text(result)); err != nil {
		return err
	}
	return outcome(result)
}

func outcome(result *mcp.CallToolResult) error {
	if result.IsError {
		return cmdutil.ErrSilent
	}
	return nil
}

func text(result *mcp.CallToolResult) string {
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}
