package install

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/ide"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// outcome is what became of one client.
type outcome struct {
	target  *ideinstall.Target
	plan    *ideinstall.Plan // nil when there is none because of err
	hint    string           // what is left to do for the key to be found
	skipped string           // why a member of a group was left out
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
	if len(targets) == 0 {
		return cmdutil.WithHint(errors.New("no client was found on this machine"), "name one with --target, or use --print")
	}
	server, warnings, err := o.Entry.Server(f, o.Selection.Name)
	if err != nil {
		return err
	}
	if o.Print || o.PrintLink {
		return printEntries(f, o, targets, server)
	}
	for _, w := range warnings {
		fmt.Fprintf(f.IO.ErrOut, "abx: %s\n", w)
	}
	outcomes := o.install(ctx, env, targets, server)
	if len(outcomes) == 1 && ide.UsageMistake(outcomes[0].err) {
		return cmdutil.FlagErrorf("%w", outcomes[0].err)
	}
	return report(f, o, env, outcomes)
}

// install plans all clients before it writes any, and then writes each whatever
// becomes of the others.
func (o *Options) install(ctx context.Context, env *ideinstall.Env, targets []*ideinstall.Target, server *ideinstall.Server) []*outcome {
	var all []*outcome
	for _, t := range targets {
		all = append(all, o.plan(env, t, server))
	}
	if o.DryRun {
		return all
	}
	for _, out := range all {
		if out.plan != nil {
			out.err = out.plan.Apply(ctx)
		}
	}
	return all
}

func (o *Options) plan(env *ideinstall.Env, t *ideinstall.Target, server *ideinstall.Server) *outcome {
	out := &outcome{target: t}
	if o.Selection.Group() && !t.Detected(env) {
		out.skipped = "not found on this machine"
		return out
	}
	out.plan, out.err = ideinstall.PlanInstall(env, t, server, o.planOptions())
	if out.err != nil {
		out.plan = nil
	}
	if out.plan != nil {
		out.hint = o.Entry.Hint(out.plan)
	}
	if o.Selection.Group() && ide.UsageMistake(out.err) {
		out.skipped, out.err = out.err.Error(), nil
	}
	return out
}

// printEntries serves --print and --print-link.
func printEntries(f *cmdutil.Factory, o *Options, targets []*ideinstall.Target, server *ideinstall.Server) error {
	render := ideinstall.Snippet
	if o.PrintLink {
		render = ideinstall.Link
	}
	for _, t := range targets {
		text, err := render(t, server, o.planOptions())
		if err != nil {
			return cmdutil.FlagErrorf("%w", err)
		}
		if len(targets) > 1 {
			fmt.Fprintf(f.IO.ErrOut, "%s:\n", t.Name)
		}
		fmt.Fprint(f.IO.Out, text)
		if o.PrintLink {
			fmt.Fprintln(f.IO.Out)
		}
	}
	return nil
}
