// Package info implements `abx sandbox info`.
package info

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/view"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "info ID",
		Short:             "Show what the backend knows about a sandbox",
		Example:           "$ abx sandbox info i0123456789abcdefghij",
		Long:              "Shows one sandbox. With --json the same fields as `abx sandbox list`.",
		Args:              cmdutil.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: cmdutil.CompleteSandboxes(f, false),
		RunE:              func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), f, args[0]) },
	}
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, id string) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	got, err := client.Get(ctx, id)
	if err != nil {
		return err
	}
	s := view.Of(got)
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, s)
	}
	w := tabwriter.NewWriter(f.IO.Out, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"id", s.ID},
		{"template", s.Template},
		{"state", s.State},
		{"started", s.StartedAt.Format(time.RFC3339)},
		{"ends", fmt.Sprintf("%s (in %s)", s.EndAt.Format(time.RFC3339), view.Age(time.Until(s.EndAt)))},
		{"cpus", fmt.Sprint(s.CPUs)},
		{"memory", fmt.Sprintf("%d MB", s.MemoryMB)},
		{"envd", s.Envd},
		{"metadata", s.Pairs()},
	} {
		fmt.Fprintf(w, "%s\t%s\n", line[0], line[1])
	}
	return w.Flush()
}
