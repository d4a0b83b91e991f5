// Package exec implements `abx sandbox exec`.
package exec

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Options of the command.
type Options struct {
	ID      string
	Command []string
	Cwd     string
	User    string
	Envs    []string
	Timeout time.Duration
	NoTTY   bool
	NoStdin bool
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "exec ID [COMMAND [ARG ...]]",
		Short: "Run a command in a sandbox, or open a shell",
		Long: heredoc.Doc(`
			Runs a command in a sandbox, streams its output, passes standard
			input and signals, and exits with its exit code. One word is a shell
			command line; several are a program and its arguments. Without a
			command it opens a shell.

			When standard input and output are a terminal the command gets one
			too, unless --no-tty. A second interrupt kills the command.
		`),
		Example: heredoc.Doc(`
			$ abx sandbox exec $id
			$ abx sandbox exec $id 'ls | wc -l'
			$ tar c src | abx sandbox exec $id tar x -C /app
		`),
		Args:              cmdutil.Args(cobra.MinimumNArgs(1)),
		ValidArgsFunction: cmdutil.CompleteSandboxes(f, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ID, o.Command = args[0], args[1:]
			return run(cmd.Context(), f, o)
		},
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what follows the id belongs to the command
	flags.StringVarP(&o.Cwd, "cwd", "C", "", "working `DIR` in the sandbox")
	flags.StringVarP(&o.User, "user", "u", "", "`USER` in the sandbox")
	flags.StringArrayVarP(&o.Envs, "env", "e", nil, "environment variable `NAME=VALUE` (repeatable)")
	flags.DurationVar(&o.Timeout, "timeout", 0, "kill the command after this time; 0 is never")
	flags.BoolVarP(&o.NoTTY, "no-tty", "T", false, "give the command pipes, even at a terminal")
	flags.BoolVar(&o.NoStdin, "no-stdin", false, "give the command an empty standard input")
	cmdutil.AddBackendFlags(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	envs, err := cmdutil.Pairs("--env", o.Envs)
	if err != nil {
		return err
	}
	client, err := f.Client()
	if err != nil {
		return err
	}
	sandbox, err := client.Connect(ctx, o.ID, nil)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // a reader that left ends the command, not just abx
	if o.wantsTerminal(f) {
		return runOnTerminal(ctx, f, o, sandbox, envs)
	}
	if len(o.Command) == 0 {
		return cmdutil.FlagErrorf("name a COMMAND: a shell needs a terminal")
	}
	return runOnPipes(ctx, f, o, sandbox, envs)
}

func (o *Options) wantsTerminal(f *cmdutil.Factory) bool {
	return !o.NoTTY && !o.NoStdin && f.IO.IsInputTTY() && f.IO.IsOutputTTY()
}

// commandLine is what the shell in the sandbox gets.
func (o *Options) commandLine() string {
	if len(o.Command) == 1 {
		return o.Command[0]
	}
	quoted := make([]string, len(o.Command))
	for i, word := range o.Command {
		quoted[i] = cmdutil.ShellQuote(word)
	}
	return strings.Join(quoted, " ")
}

// finish waits for the end of the process and passes its exit code on. Signals
// that arrive meanwhile go to the process; the second one kills it.
func finish(ctx context.Context, process *sandboxclient.Process, broken <-chan struct{}) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ctx = context.WithoutCancel(ctx) // the signal that ended it is forwarded instead
	for got := 0; ; {
		select {
		case <-process.Done():
			return exitOf(process.Wait(ctx))
		case <-broken:
			return process.Kill(ctx)
		case sig := <-signals:
			if got++; got > 1 {
				return process.Kill(ctx)
			}
			if number, ok := sig.(syscall.Signal); ok {
				_ = process.Signal(ctx, sandboxclient.Signal(number)) // it may have ended just now
			}
		}
	}
}

func exitOf(result *sandboxclient.Result, err error) error {
	switch {
	case err != nil:
		return err
	case result.TimedOut:
		return fmt.Errorf("the command was killed: it did not end in time")
	case result.ExitCode != 0:
		return &cmdutil.ExitError{Status: result.ExitCode & 0xff}
	}
	return nil
}
