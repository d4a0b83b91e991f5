// Package ide is what the commands that install, uninstall and report the MCP
// server in IDEs have in common: which clients and files are meant, and what the
// entry is.
package ide

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// DefaultName is the key of the entry in a client's file, and the name that the
// server gives itself.
const DefaultName = "agent-sandbox"

// Selection is the clients and files that a command line means.
type Selection struct {
	Targets []string
	Scope   string
	Project string
	Name    string
}

// Add adds the flags.
func (s *Selection) Add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&s.Targets, "target", nil, "`CLIENT`, repeatable or a comma list: auto (those found here), all, or names such as cursor, claude, vscode")
	cmd.Flags().StringVar(&s.Scope, "scope", "", "user or project; each client has a default")
	cmd.Flags().StringVar(&s.Project, "project", "", "`DIR` of the project for scope project (default: the working directory)")
	cmd.Flags().StringVar(&s.Name, "name", DefaultName, "`NAME` of the entry")
	_ = cmd.RegisterFlagCompletionFunc("target", cobra.FixedCompletions(
		append([]string{ideinstall.GroupAuto, ideinstall.GroupAll}, ideinstall.IDs()...), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{"user", "project"}, cobra.ShellCompDirectiveNoFileComp))
}

// Group reports whether clients were named as a group: then those that are not
// on this machine, or cannot take what is asked, are left out.
func (s *Selection) Group() bool {
	return slices.Contains(s.Targets, ideinstall.GroupAll) || slices.Contains(s.Targets, ideinstall.GroupAuto)
}

// Resolve finds the clients on this machine. Mistakes are FlagErrors.
func (s *Selection) Resolve() (*ideinstall.Env, []*ideinstall.Target, error) {
	if s.Scope != "" && s.Scope != string(ideinstall.ScopeUser) && s.Scope != string(ideinstall.ScopeProject) {
		return nil, nil, cmdutil.FlagErrorf("--scope %q: use user or project", s.Scope)
	}
	env, err := ideinstall.System(s.Project)
	if err != nil {
		return nil, nil, err
	}
	if len(s.Targets) == 0 {
		return env, nil, nil
	}
	targets, err := ideinstall.Select(env, s.Targets)
	if err != nil {
		return nil, nil, cmdutil.FlagErrorf("--target: %w", err)
	}
	return env, targets, nil
}

// NeedTarget is the mistake of naming no client at all.
func NeedTarget() error {
	return cmdutil.FlagErrorf("--target is needed: auto, all, or one of %s", joined(ideinstall.IDs()))
}

// UsageMistake reports whether err is about the command line, not about a file.
func UsageMistake(err error) bool {
	var refused *ideinstall.RefusedError
	var unsupported *ideinstall.UnsupportedError
	var invalid *ideinstall.InvalidError
	if errors.As(err, &refused) {
		return false
	}
	return errors.As(err, &unsupported) || errors.As(err, &invalid)
}

func joined(names []string) string {
	var out string
	for i, n := range names {
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}
