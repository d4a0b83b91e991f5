// Package status implements `abx mcp status`.
package status

import (
	"slices"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/ide"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// exitNotInstalled is what --check answers when a client lacks the entry.
const exitNotInstalled = 3

// Options of the command.
type Options struct {
	Selection ide.Selection
	Check     bool
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the MCP server and where it is installed",
		Long: heredoc.Doc(`
			Shows the server, its tools, whether an API key is known and from
			where, the backend, and each client's state:

			  installed      the entry is there
			  outdated       it runs something else than this abx, or nothing
			  disabled       the client is told not to use it
			  not installed  the client is here, the entry is not
			  not detected   neither is
			  unknown        the file cannot be read; the reason is shown

			With --json: {server{name, version}, transport, tools{count, names},
			api_key{configured, source}, backend{kind, url}, clients[{id, scope,
			path, state, reason, transport, secret, warnings}]}.

			Exits 0. With --check: 3 unless every client named with --target is
			installed, 1 when one is unknown.
		`),
		Example: heredoc.Doc(`
			$ abx mcp status
			$ abx --json mcp status
			$ abx mcp status --target cursor --check || abx mcp install --target cursor
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return run(f, o) },
	}
	o.Selection.Add(cmd)
	cmd.Flags().BoolVar(&o.Check, "check", false, "tell by the exit code whether the clients of --target are installed")
	return cmd
}

func run(f *cmdutil.Factory, o *Options) error {
	env, targets, err := o.Selection.Resolve()
	if err != nil {
		return err
	}
	if o.Check && len(targets) == 0 {
		return cmdutil.FlagErrorf("--check needs --target")
	}
	if len(targets) == 0 {
		targets = ideinstall.Targets()
	}
	server, _, err := (&ide.Entry{Transport: string(ideinstall.TransportStdio)}).Server(f, o.Selection.Name)
	if err != nil {
		return err
	}
	all := o.inspect(env, targets, server)
	d, err := document(f, o, all)
	if err != nil {
		return err
	}
	if f.JSON {
		err = cmdutil.WriteJSON(f.IO.Out, d)
	} else {
		err = o.printTable(f, env, d, all)
	}
	if err != nil || !o.Check {
		return err
	}
	return check(all)
}

// inspect looks at every scope that was asked for: the one of --scope, the
// default ones for --check, else all.
func (o *Options) inspect(env *ideinstall.Env, targets []*ideinstall.Target, server *ideinstall.Server) []ideinstall.Status {
	var all []ideinstall.Status
	for _, t := range targets {
		for _, scope := range t.Scopes() {
			asked := o.Selection.Scope
			if asked == "" && o.Check {
				asked = string(t.DefaultScope)
			}
			if asked == "" || asked == string(scope) {
				all = append(all, ideinstall.Inspect(env, t, scope, server)...)
			}
		}
	}
	return all
}

func check(all []ideinstall.Status) error {
	has := func(states ...ideinstall.State) bool {
		return slices.ContainsFunc(all, func(s ideinstall.Status) bool { return slices.Contains(states, s.State) })
	}
	switch {
	case has(ideinstall.StateUnknown):
		return &cmdutil.ExitError{Status: cmdutil.ExitFailure}
	case len(all) == 0, has(ideinstall.StateNotInstalled, ideinstall.StateNotDetected, ideinstall.StateOutdated, ideinstall.StateDisabled):
		return &cmdutil.ExitError{Status: exitNotInstalled}
	}
	return nil
}
