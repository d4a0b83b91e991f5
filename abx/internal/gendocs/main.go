// Command gendocs writes the reference of abx from its commands: Markdown for
// the repository, man pages for the release archives.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cli"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 || args[0] != "md" && args[0] != "man" {
		return fmt.Errorf("usage: gendocs md|man DIR, not %q", args)
	}
	if err := os.MkdirAll(args[1], 0o755); err != nil {
		return err
	}
	if args[0] == "md" {
		return markdown(args[1])
	}
	return man(args[1])
}

// tree is the commands without anything of the machine that they are made on.
func tree() *cobra.Command {
	root := cli.NewRoot(&cmdutil.Factory{IO: iostreams.System(), Getenv: func(string) string { return "" }})
	root.InitDefaultCompletionCmd("md")
	everyCommand(root, func(cmd *cobra.Command) {
		cmd.DisableAutoGenTag = true
		cmd.Example = indent(cmd.Example)
	})
	return root
}

func everyCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, sub := range cmd.Commands() {
		everyCommand(sub, do)
	}
}

func indent(example string) string {
	if example == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(strings.TrimSpace(example), "\n", "\n  ")
}

func markdown(dir string) error {
	return doc.GenMarkdownTree(tree(), dir)
}

func man(dir string) error {
	epoch := time.Unix(0, 0).UTC() // the same source gives the same bytes
	return doc.GenManTree(tree(), &doc.GenManHeader{Section: "1", Source: "agent-sandbox", Manual: "abx", Date: &epoch}, dir)
}
