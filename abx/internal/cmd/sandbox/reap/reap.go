// Package reap implements `abx sandbox reap`.
package reap

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Options of the command.
type Options struct {
	Instance  string
	OlderThan time.Duration
	Yes       bool
}

// Output is the JSON output.
type Output struct {
	Found  []*view.Sandbox `json:"found"`
	Reaped []string        `json:"reaped"`
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "reap",
		Short: "Find and destroy sandboxes whose owner is gone",
		Long: heredoc.Doc(`
			Finds sandboxes that an abx server made and left, paused ones
			included. Only servers that ran on this machine since its last start
			can be judged; name others with --instance or --older-than.

			Shows them first and asks on a terminal; elsewhere it destroys only
			with --yes. With --json: {found: [...], reaped: [ids]}.
		`),
		Example: heredoc.Doc(`
			$ abx sandbox reap
			$ abx sandbox reap --older-than 24h --yes
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Instance, "instance", "", "sandboxes of this `INSTANCE` (metadata abx.instance), wherever it ran")
	flags.DurationVar(&o.OlderThan, "older-than", 0, "sandboxes of any abx server that are older than `AGE`")
	flags.BoolVarP(&o.Yes, "yes", "y", false, "destroy without asking")
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	found, err := find(ctx, client, o.selects(time.Now()))
	if err != nil {
		return err
	}
	out := &Output{Found: found, Reaped: []string{}}
	if err := confirm(f, o, found); err != nil {
		return errors.Join(err, finish(f, out))
	}
	var failures []error
	for _, s := range found {
		if err := client.Kill(ctx, s.ID); err != nil && !sandboxclient.IsNotFound(err) {
			failures = append(failures, err)
			continue
		}
		out.Reaped = append(out.Reaped, s.ID)
	}
	return errors.Join(append(failures, finish(f, out))...)
}

// confirm shows what was found and returns nil when it may be destroyed.
func confirm(f *cmdutil.Factory, o *Options, found []*view.Sandbox) error {
	if !f.JSON {
		show(f, found)
	}
	switch {
	case o.Yes || len(found) == 0:
		return nil
	case !f.IO.CanPrompt():
		return cmdutil.WithHint(fmt.Errorf("%d sandboxes were found and not destroyed", len(found)), "pass --yes to destroy them")
	}
	fmt.Fprint(f.IO.ErrOut, "Destroy them? [y/N] ")
	answer, _ := bufio.NewReader(f.IO.In).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return errors.New("nothing was destroyed")
	}
	return nil
}

func show(f *cmdutil.Factory, found []*view.Sandbox) {
	for _, s := range found {
		fmt.Fprintf(f.IO.Out, "%s  %s  %s old  %s\n", s.ID, s.State, view.Age(time.Since(s.StartedAt)), s.Pairs())
	}
	if len(found) == 0 {
		fmt.Fprintln(f.IO.ErrOut, "abx: no sandbox without an owner")
	}
}

func finish(f *cmdutil.Factory, out *Output) error {
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, out)
	}
	return nil
}
