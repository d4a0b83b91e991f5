package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
)

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	ios, _, _, _ := iostreams.Test()
	root := NewRoot(&cmdutil.Factory{IO: ios, Getenv: func(string) string { return "" }})
	walk(root, func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short text is %q, want one line without a full stop", path, cmd.Short)
		}
		if cmd.HasSubCommands() {
			return
		}
		if cmd.Example == "" || !strings.Contains(cmd.Example, path) {
			t.Errorf("%s: no example that shows %q", path, path)
		}
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flag.Usage == "" {
				t.Errorf("%s --%s: no usage text", path, flag.Name)
			}
		})
	})
}

// TestHelpTouchesNothing builds the whole tree and asks for help with a factory
// in which every use of a file or of the network would fail.
func TestHelpTouchesNothing(t *testing.T) {
	t.Parallel()
	ios, _, out, _ := iostreams.Test()
	f := &cmdutil.Factory{IO: ios, Getenv: func(string) string { return "" }, ConfigPath: "/no/such/directory/config.toml"}
	root := NewRoot(f)
	walk(root, func(cmd *cobra.Command) {
		out.Reset()
		args := strings.Fields(cmd.CommandPath())[1:]
		if code := Run(t.Context(), f, append(args, "--help")); code != cmdutil.ExitOK || out.Len() == 0 {
			t.Errorf("%s --help: exit %d, %d bytes", cmd.CommandPath(), code, out.Len())
		}
	})
}

// walk visits the commands of ours.
func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, c := range cmd.Commands() {
		if c.Name() != "help" && c.Name() != "completion" {
			walk(c, visit)
		}
	}
}
