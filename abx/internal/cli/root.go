package cli

import (
	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	configcmd "github.com/agentsandbox/agent-sandbox/abx/internal/cmd/config"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/doctor"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/local"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/mcp"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/sandbox"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmd/version"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// NewRoot is the whole command tree.
func NewRoot(f *cmdutil.Factory) *cobra.Command {
	root := &cobra.Command{
		Use:   "abx",
		Short: "Sandboxes for AI agents",
		Long: heredoc.Doc(`
			abx gives an AI agent a sandbox to run code in: on Alibaba Cloud
			Function Compute, on E2B, or on this machine.
		`),
		Example: heredoc.Doc(`
			$ abx mcp call --local run_code code='print(6*7)'
			$ abx mcp install --target cursor
			$ abx mcp start
		`),
		Version:       f.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cmdutil.Args(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	addGlobalFlags(root, f)
	root.AddCommand(mcp.NewCmd(f), sandbox.NewCmd(f), local.NewCmd(f), configcmd.NewCmd(f), doctor.NewCmd(f), version.NewCmd(f))
	root.SetIn(f.IO.In)
	root.SetOut(f.IO.Out)
	root.SetErr(f.IO.ErrOut)
	root.SetVersionTemplate("abx {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cmdutil.FlagErrorf("%w", err) })
	return root
}

func addGlobalFlags(root *cobra.Command, f *cmdutil.Factory) {
	flags := root.PersistentFlags()
	flags.BoolVar(&f.JSON, "json", false, "print machine-readable JSON")
	flags.BoolVar(&f.Verbose, "verbose", false, "log what is done to standard error")
	flags.StringVar(&f.ConfigPath, "config", "", "read settings from `FILE` instead of the user's configuration file")
	flags.Var(cmdutil.RegionFlag(f), "region", "Alibaba Cloud `REGION`")
}
