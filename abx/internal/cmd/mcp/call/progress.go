package call

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// clientOptions show what the server says while a call goes on, on one line of
// the terminal. Elsewhere there is nobody to see it.
func clientOptions(f *cmdutil.Factory) *mcp.ClientOptions {
	if !f.IO.IsErrorTTY() {
		return nil
	}
	return &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) {
			fmt.Fprintf(f.IO.ErrOut, "\r%s", line(n.Params.Message, f.IO.TerminalWidth()))
		},
	}
}

// line fits a message to the terminal and covers the one before it. Control
// characters in it come from a sandbox and must not steer the terminal.
func line(message string, width int) string {
	text := []rune(strings.Map(printable, message))
	room := max(width-1, 0)
	if len(text) > room {
		text = text[:room]
	}
	return string(text) + strings.Repeat(" ", room-len(text))
}

func printable(r rune) rune {
	if r < ' ' || (r >= 0x7f && r < 0xa0) {
		return -1
	}
	return r
}

// wipe clears the line.
func wipe(f *cmdutil.Factory) {
	fmt.Fprintf(f.IO.ErrOut, "\r%s\r", line("", f.IO.TerminalWidth()))
}
