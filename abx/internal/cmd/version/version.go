// Package version implements `abx version`.
package version

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// Info is the answer of `abx --json version`.
type Info struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show which abx this is",
		Example: "$ abx version\n$ abx --json version",
		Args:    cmdutil.Args(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return run(f) },
	}
}

func run(f *cmdutil.Factory) error {
	info := Info{Version: f.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, info)
	}
	_, err := fmt.Fprintf(f.IO.Out, "abx %s (%s, %s/%s)\n", info.Version, info.Go, info.OS, info.Arch)
	return err
}
