// Package uninstall implements `abx mcp uninstall`.
package uninstall

import (
	"context"
	"errors"
	"fmt"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/ide"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// Options of the command.
type Options struct {
	Selection ide.Selection
	DryRun    bool
	Diff      bool
	NoBackup  bool
	Force     bool
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "uninstall --target CLIENT",
		Short: "Take the MCP server out of an IDE or another client",
		Long: heredoc.Doc(`
			Removes one entry, and nothing else, from the configuration file of
			each client. An entry of that name which runs another program is left
			in place. An absent entry is no failure.

			Exits 0 when the entry is gone, 1 when a client failed.

			With --json: {clients[{id, scope, paths, action, backups, after,
			notes, diff, error}]}.
		`),
		Example: heredoc.Doc(`
			$ abx mcp uninstall --target cursor
			$ abx mcp uninstall --target all --dry-run
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	o.Selection.Add(cmd)
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show what would change and write nothing")
	cmd.Flags().BoolVar(&o.Diff, "diff", false, "show what changes, with all secrets masked")
	cmd.Flags().BoolVar(&o.NoBackup, "no-backup", false, "keep no copy of the old file")
	cmd.Flags().BoolVar(&o.Force, "force", false, "remove an entry that runs another program; write read-only files")
	return cmd
}

// outcome is what became of one client.
type outcome struct {
	target  *ideinstall.Target
	plan    *ideinstall.Plan
	skipped string
	err     error
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	env, targets, err := o.Selection.Resolve()
	if err != nil {
		return err
	}
	if len(o.Selection.Targets) == 0 {
		return ide.NeedTarget()
	}
	var all []*outcome
	for _, t := range targets {
		all = append(all, o.plan(env, t))
	}
	if len(all) == 1 && ide.UsageMistake(all[0].err) {
		return cmdutil.FlagErrorf("%w", all[0].err)
	}
	for _, out := range all {
		if out.plan != nil && !o.DryRun {
			out.err = out.plan.Apply(ctx)
		}
	}
	return report(f, o, env, all)
}

// plan leaves out members of a group that have no file here to look at.
func (o *Options) plan(env *ideinstall.Env, t *ideinstall.Target) *outcome {
	plan, err := ideinstall.PlanUninstall(env, t, o.Selection.Name, &ideinstall.Options{
		Scope: ideinstall.Scope(o.Selection.Scope), Force: o.Force, NoBackup: o.NoBackup,
	})
	out := &outcome{target: t, plan: plan, err: err}
	if err != nil {
		out.plan = nil
	}
	var uncertain *ideinstall.UncertainPathError
	if o.Selection.Group() && (ide.UsageMistake(err) || errors.As(err, &uncertain)) {
		out.skipped, out.err = fmt.Sprint(err), nil
	}
	return out
}
