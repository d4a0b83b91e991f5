// Package cli assembles abx's commands and turns their errors into exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/abx/internal/buildinfo"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// bootstrap is the name under which Function Compute starts a custom runtime.
const bootstrap = "bootstrap"

// Main runs abx and returns its exit code. args is os.Args.
func Main(args []string) int {
	f := &cmdutil.Factory{IO: iostreams.System(), Version: buildinfo.Version(), Getenv: os.Getenv}
	ctx, stop := untilSignal(f)
	defer stop()
	if len(args) == 1 && filepath.Base(args[0]) == bootstrap {
		args = append(args, bootstrapArgs(f.Getenv)...)
	}
	return Run(ctx, f, args[1:])
}

// Run executes one command line.
func Run(ctx context.Context, f *cmdutil.Factory, args []string) int {
	root := NewRoot(f)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return cmdutil.ExitOK
	}
	code := exitCode(err)
	report(f, cmd.CommandPath(), code, err)
	return code
}

func exitCode(err error) int {
	var flag *cmdutil.FlagError
	var auth *cmdutil.AuthError
	var exit *cmdutil.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Status
	case errors.As(err, &flag):
		return cmdutil.ExitUsage
	case errors.As(err, &auth), sandboxclient.IsUnauthenticated(err):
		return cmdutil.ExitAuth
	}
	return cmdutil.ExitFailure
}

// report prints one line of what went wrong and, where known, one of what to do.
func report(f *cmdutil.Factory, command string, code int, err error) {
	var exit *cmdutil.ExitError
	if errors.As(err, &exit) || errors.Is(err, cmdutil.ErrSilent) {
		return
	}
	fmt.Fprintf(f.IO.ErrOut, "abx: %v\n", err)
	var hint *cmdutil.HintError
	switch {
	case errors.As(err, &hint):
		fmt.Fprintf(f.IO.ErrOut, "  %s\n", hint.Hint)
	case code == cmdutil.ExitUsage:
		fmt.Fprintf(f.IO.ErrOut, "  run `%s --help` for usage\n", command)
	}
}
