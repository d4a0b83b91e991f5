package config

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func newCmdUnset(f *cmdutil.Factory) *cobra.Command {
	return &cobra.Command{
		Use:               "unset KEY",
		Short:             "Remove a setting from the configuration file",
		Example:           "$ abx config unset region",
		Args:              cmdutil.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := parseKey(args[0])
			if err != nil {
				return err
			}
			return runUnset(f, key)
		},
	}
}

func runUnset(f *cmdutil.Factory, key config.Key) error {
	file, err := f.Settings()
	if err != nil {
		return err
	}
	had, err := file.Unset(key)
	if err == nil && !had {
		fmt.Fprintf(f.IO.ErrOut, "abx: %s was not in %s\n", key, file.Path())
	}
	return err
}
