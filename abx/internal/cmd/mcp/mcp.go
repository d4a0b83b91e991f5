// Package mcp implements `abx mcp`.
package mcp

import (
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/call"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/deploy"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/install"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/start"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/status"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/tools"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/undeploy"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp/uninstall"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command group.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "The MCP server: run it, call it, install it, deploy it",
		Args:  cmdutil.Args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(start.NewCmd(f), call.NewCmd(f), tools.NewCmd(f))
	cmd.AddCommand(install.NewCmd(f), uninstall.NewCmd(f), status.NewCmd(f))
	cmd.AddCommand(deploy.NewCmd(f), undeploy.NewCmd(f))
	return cmd
}
