// Package call implements `abx mcp call`.
package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/backend"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// closeLimit bounds the end of the session, in which its sandboxes are destroyed.
const closeLimit = 15 * time.Second

// Options of the command.
type Options struct {
	Tool      string
	Arguments json.RawMessage
	URL       string
	Backend   backend.Flags
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "call TOOL [JSON | - | KEY=VALUE ...]",
		Short: "Call one tool and print its result",
		Long: heredoc.Doc(`
			Calls one tool through the real server. The call is a session of its
			own: a sandbox that it makes is destroyed at the end.

			Arguments are one JSON object, - to read it from standard input, or
			words: KEY=TEXT, KEY:=JSON, KEY=@FILE, KEY=- for standard input.

			Prints the text of the result; with --json
			{structuredContent, isError, error{code, message, retryable}}.
			Exits 1 when the tool reports an error. The exit code of a command in
			the sandbox is in the result, not abx's own.
		`),
		Example: heredoc.Doc(`
			$ abx mcp call --local run_code '{"code":"print(6*7)"}'
			$ abx mcp call --local run_code code=@script.py
			$ abx mcp call --url https://example.com/mcp run_command command='uname -a'
		`),
		Args:              cmdutil.Args(cobra.MinimumNArgs(1)),
		ValidArgsFunction: completeTools,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			o.Tool = args[0]
			if o.Arguments, err = parseArguments(args[1:], f.IO.In); err != nil {
				return err
			}
			return run(cmd.Context(), f, o)
		},
	}
	cmd.Flags().StringVar(&o.URL, "url", "", "call the MCP server at `URL`; its token is taken from ABX_MCP_AUTH_TOKEN")
	o.Backend.Add(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	session, closeSession, err := connect(ctx, f, o)
	if err != nil {
		return err
	}
	params := &mcp.CallToolParams{Name: o.Tool, Arguments: o.Arguments}
	if f.IO.IsErrorTTY() {
		params.SetProgressToken("call")
		defer wipe(f)
	}
	result, callErr := session.CallTool(ctx, params)
	closeCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeLimit)
	defer cancel()
	closeErr := closeSession(closeCtx)
	if callErr != nil {
		return errors.Join(fmt.Errorf("call %s: %w", o.Tool, callErr), closeErr)
	}
	if o.Tool == "create_sandbox" && !result.IsError {
		fmt.Fprintln(f.IO.ErrOut, "abx: the sandbox was destroyed when this call ended; `abx sandbox create` makes one that stays")
	}
	return errors.Join(show(f, result), closeErr)
}

func completeTools(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, t := range mcpserver.Tools() {
		names = append(names, t.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
