// Package kill implements `abx sandbox kill`.
package kill

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "kill ID ...",
		Aliases:           []string{"rm"},
		Short:             "Destroy sandboxes",
		Long:              "Destroys sandboxes, running or paused, with all that is in them. One that cannot\nbe destroyed does not keep the others; the command then exits 1.",
		Example:           "$ abx sandbox kill i0123456789abcdefghij",
		Args:              cmdutil.Args(cobra.MinimumNArgs(1)),
		ValidArgsFunction: cmdutil.CompleteSandboxes(f, true),
		RunE:              func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), f, args) },
	}
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, ids []string) error {
	client, err := f.Client()
	if err != nil {
		return err
	}
	killed := []string{}
	var failures []error
	for _, id := range ids {
		if err := client.Kill(ctx, id); err != nil {
			failures = append(failures, err)
			continue
		}
		killed = append(killed, id)
		if !f.JSON {
			fmt.Fprintln(f.IO.Out, id)
		}
	}
	if f.JSON {
		failures = append(failures, cmdutil.WriteJSON(f.IO.Out, map[string]any{"killed": killed}))
	}
	return errors.Join(failures...)
}
