// Package config implements `abx config`.
package config

import (
	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewCmd makes the command group.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Look at and change abx's settings",
		Long: heredoc.Doc(`
			Settings are kept in config.toml in the user's configuration
			directory. A flag beats an environment variable, which beats the file.

			  backend      fc, e2b or local      ABX_BACKEND
			  region       Alibaba Cloud region  ALIBABA_CLOUD_REGION_ID
			  api_key      key of the backend    ABX_SANDBOX_API_KEY
			  base_url     URL of its API        ABX_SANDBOX_BASE_URL
			  domain       domain of sandboxes   ABX_SANDBOX_DOMAIN
			  sandbox_url  one URL for them all  ABX_SANDBOX_URL
			  template     default template      ABX_DEFAULT_TEMPLATE
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCmdSet(f), newCmdGet(f), newCmdList(f), newCmdUnset(f))
	return cmd
}
