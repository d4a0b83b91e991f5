package config

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func newCmdGet(f *cmdutil.Factory) *cobra.Command {
	return &cobra.Command{
		Use:               "get KEY",
		Short:             "Show the effective value of a setting",
		Long:              "Shows one effective value. Of a secret only its last four characters are shown.\nExits 1 when the setting has no value.",
		Example:           "$ abx config get region",
		Args:              cmdutil.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := parseKey(args[0])
			if err != nil {
				return err
			}
			return runGet(f, key)
		},
	}
}

func runGet(f *cmdutil.Factory, key config.Key) error {
	cfg, err := f.Config()
	if err != nil {
		return err
	}
	value := cfg.Get(key)
	if f.JSON {
		return cmdutil.WriteJSON(f.IO.Out, setting(key, value))
	}
	if value.Origin == config.Unset {
		return cmdutil.WithHint(fmt.Errorf("%s is not set", key), fmt.Sprintf("run `abx config set %s` or set %s", key, key.Env()))
	}
	_, err = fmt.Fprintln(f.IO.Out, shown(key, value.Value))
	return err
}

// shownSecretTail is how many characters of a secret may be seen: enough to
// tell two keys apart, too few to use.
const shownSecretTail = 4

func shown(key config.Key, value string) string {
	if !key.Secret() || value == "" {
		return value
	}
	if len(value) <= 3*shownSecretTail {
		return "****"
	}
	return "****" + value[len(value)-shownSecretTail:]
}
