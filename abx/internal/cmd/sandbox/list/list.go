// Package list implements `abx sandbox list`.
package list

import (
	"context"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/table"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Options of the command.
type Options struct {
	Metadata []string
	States   []string
	Template string
	Limit    int
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List sandboxes, newest first",
		Long: heredoc.Doc(`
			Lists sandboxes, newest first. With --json a list of {sandbox_id,
			template, state, started_at, end_at, cpus, memory_mb, envd_version,
			metadata}.
		`),
		Example: heredoc.Doc(`
			$ abx sandbox list
			$ abx sandbox list --metadata purpose=demo --state running
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&o.Metadata, "metadata", "m", nil, "only those with the label `KEY=VALUE` (repeatable)")
	flags.StringSliceVar(&o.States, "state", nil, "only those in `STATE`: running, paused")
	flags.StringVar(&o.Template, "only-template", "", "only those of `TEMPLATE`")
	flags.IntVar(&o.Limit, "limit", 0, "at most `N`; 0 lists all")
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	filter, err := o.filter()
	if err != nil {
		return err
	}
	client, err := f.Client()
	if err != nil {
		return err
	}
	all := []*view.Sandbox{}
	for info, err := range client.List(ctx, filter) {
		if err != nil {
			return err
		}
		if all = append(all, view.Of(info)); o.Limit > 0 && len(all) == o.Limit {
			break
		}
	}
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, all)
	}
	return show(f, all, time.Now())
}

func (o *Options) filter() (*sandboxclient.ListOptions, error) {
	metadata, err := cmdutil.Pairs("--metadata", o.Metadata)
	if err != nil {
		return nil, err
	}
	if o.Limit < 0 {
		return nil, cmdutil.FlagErrorf("--limit %d: want 0 or more", o.Limit)
	}
	filter := &sandboxclient.ListOptions{Metadata: metadata, Template: o.Template}
	for _, s := range o.States {
		filter.States = append(filter.States, api.State(s))
	}
	return filter, nil
}

func show(f *cmdutil.Factory, all []*view.Sandbox, now time.Time) error {
	t := table.New(f.IO, "ID", "TEMPLATE", "STATE", "AGE", "ENDS IN", "METADATA")
	for _, s := range all {
		t.Row(s.ID, s.Template, s.State, view.Age(now.Sub(s.StartedAt)), view.Age(s.EndAt.Sub(now)), s.Pairs())
	}
	return t.Flush()
}
