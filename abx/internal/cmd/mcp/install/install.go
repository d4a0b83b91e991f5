// Package install implements `abx mcp install`.
package install

import (
	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/ide"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Options of the command.
type Options struct {
	Selection ide.Selection
	Entry     ide.Entry
	Secret    string
	DryRun    bool
	Diff      bool
	Print     bool
	PrintLink bool
	NoBackup  bool
	Force     bool
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "install --target CLIENT",
		Short: "Register the MCP server in an IDE or another client",
		Long: heredoc.Doc(`
			Adds one entry to the configuration file of each client. Everything
			else in the file stays as it is, byte for byte: comments, order,
			indentation, line endings. A file that its client could not parse, or
			in which the place is not certain, is left untouched.

			The entry starts this abx. Cursor and Claude Desktop get the API key
			in the entry when one is known; project files never get it unless
			--secret literal asks for it. The old file is kept in
			~/.local/state/abx/ide-backups.

			Exits 0 when done or already in place, 1 when a client failed.

			With --json: {server{name, version}, tools[{name, description}],
			clients[{id, scope, paths, action, secret, backups, after, notes,
			diff, error}]}.
		`),
		Example: heredoc.Doc(`
			$ abx mcp install --target cursor
			$ abx mcp install --target auto --dry-run
			$ abx mcp install --target vscode --scope user --local
			$ abx mcp install --target codex --transport http --url https://example.com/mcp
			$ abx mcp install --target zed --print
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	o.Selection.Add(cmd)
	o.Entry.Add(cmd)
	o.addFlags(cmd)
	return cmd
}

func (o *Options) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.Secret, "secret", string(ideinstall.SecretAuto), "how the key gets into the file: auto, literal, env (a reference), input (the client asks) or none")
	flags.BoolVar(&o.DryRun, "dry-run", false, "show what would change and write nothing")
	flags.BoolVar(&o.Diff, "diff", false, "show what changes, with all secrets masked")
	flags.BoolVar(&o.Print, "print", false, "print the entry for pasting and touch no file")
	flags.BoolVar(&o.PrintLink, "print-link", false, "print a link that installs the entry (Cursor, VS Code, LM Studio)")
	flags.BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of the old file")
	flags.BoolVar(&o.Force, "force", false, "replace another program's entry of the same name; write read-only files")
	cmd.MarkFlagsMutuallyExclusive("print", "print-link", "dry-run")
}

func (o *Options) planOptions() *ideinstall.Options {
	return &ideinstall.Options{
		Scope: ideinstall.Scope(o.Selection.Scope), Secret: ideinstall.SecretMode(o.Secret),
		Force: o.Force, NoBackup: o.NoBackup,
	}
}
