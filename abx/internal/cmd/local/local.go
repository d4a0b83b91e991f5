// Package local implements `abx local`.
package local

import (
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/local/serve"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command group.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "local",
		Short: "Sandboxes on this machine",
		Args:  cmdutil.Args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(serve.NewCmd(f))
	return cmd
}
