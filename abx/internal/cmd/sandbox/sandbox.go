// Package sandbox implements `abx sandbox`.
package sandbox

import (
	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/cp"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/create"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/exec"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/info"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/kill"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/list"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox/reap"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command group.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sandbox",
		Short: "Sandboxes by hand: make, look at, use and destroy them",
		Long: heredoc.Doc(`
			These commands speak to the configured backend. For sandboxes on this
			machine start abx local serve and export the variables that it prints.
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(create.NewCmd(f), list.NewCmd(f), info.NewCmd(f),
		exec.NewCmd(f), cp.NewCmd(f), kill.NewCmd(f), reap.NewCmd(f))
	return cmd
}
