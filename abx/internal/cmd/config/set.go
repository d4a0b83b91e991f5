package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
)

func newCmdSet(f *cmdutil.Factory) *cobra.Command {
	return &cobra.Command{
		Use:   "set KEY [VALUE | -]",
		Short: "Write a setting to the configuration file",
		Long: heredoc.Doc(`
			Writes one setting. Without VALUE, or with -, the value is read from
			standard input, which keeps a secret out of the process list and the
			shell's history.
		`),
		Example: heredoc.Doc(`
			$ abx config set region cn-hangzhou
			$ printf %s "$KEY" | abx config set api_key
		`),
		Args:              cmdutil.Args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			key, err := parseKey(args[0])
			if err != nil {
				return err
			}
			return runSet(f, key, args[1:])
		},
	}
}

func runSet(f *cmdutil.Factory, key config.Key, given []string) error {
	value, err := valueOf(f, key, given)
	if err != nil {
		return err
	}
	if err := key.Validate(value); err != nil {
		return cmdutil.FlagErrorf("%w", err)
	}
	file, err := f.Settings()
	if err != nil {
		return err
	}
	if err := file.Set(key, value); err != nil {
		return err
	}
	if key.Secret() && len(given) == 1 && given[0] != "-" {
		fmt.Fprintf(f.IO.ErrOut, "abx: %s may now be in your shell's history; next time pipe it to `abx config set %s`\n", key, key)
	}
	return nil
}

func valueOf(f *cmdutil.Factory, key config.Key, given []string) (string, error) {
	if len(given) == 1 && given[0] != "-" {
		return given[0], nil
	}
	if f.IO.IsInputTTY() {
		return ask(f, key)
	}
	line, err := bufio.NewReader(f.IO.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read %s from standard input: %w", key, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// ask reads a value at the terminal, without echo.
func ask(f *cmdutil.Factory, key config.Key) (string, error) {
	fmt.Fprintf(f.IO.ErrOut, "%s: ", key)
	value, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(f.IO.ErrOut)
	return string(value), err
}

func parseKey(name string) (config.Key, error) {
	key, err := config.ParseKey(name)
	if err != nil {
		return "", cmdutil.FlagErrorf("%w", err)
	}
	return key, nil
}

func completeKeys(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, k := range config.Keys() {
		names = append(names, string(k))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
