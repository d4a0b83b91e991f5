package config

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

// Setting is one entry of `abx --json config list`.
type Setting struct {
	Key    config.Key    `json:"key"`
	Value  string        `json:"value"` // masked for a secret, "" when unset
	Origin config.Origin `json:"origin"`
}

func newCmdList(f *cmdutil.Factory) *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "Show every effective setting",
		Example: "$ abx config list --origin\n$ abx --json config list",
		Args:    cmdutil.Args(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runList(f, origin) },
	}
	cmd.Flags().BoolVar(&origin, "origin", false, "show where each value comes from: flag, environment, file or default")
	return cmd
}

func runList(f *cmdutil.Factory, origin bool) error {
	cfg, err := f.Config()
	if err != nil {
		return err
	}
	var all []Setting
	for _, k := range config.Keys() {
		all = append(all, setting(k, cfg.Get(k)))
	}
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, all)
	}
	return printSettings(f, all, origin)
}

func printSettings(f *cmdutil.Factory, all []Setting, origin bool) error {
	w := tabwriter.NewWriter(f.IO.Out, 0, 0, 2, ' ', 0)
	for _, s := range all {
		if origin {
			fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, s.Value, s.Origin)
		} else {
			fmt.Fprintf(w, "%s\t%s\n", s.Key, s.Value)
		}
	}
	return w.Flush()
}

func setting(k config.Key, v config.Value) Setting {
	return Setting{Key: k, Value: shown(k, v.Value), Origin: v.Origin}
}
