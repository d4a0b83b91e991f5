package exec

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// runOnTerminal joins the user's terminal to one in the sandbox. The user's own
// is in raw mode meanwhile and is put back whatever happens.
func runOnTerminal(ctx context.Context, f *cmdutil.Factory, o *Options, sandbox *sandboxclient.Sandbox, envs map[string]string) (err error) {
	out := &forwarder{broken: make(chan struct{})}
	opts := &sandboxclient.TerminalOptions{
		Size: terminalSize(), Cwd: o.Cwd, User: o.User, Envs: envs, Timeout: o.Timeout,
		OnOutput: out.to(f.IO.Out), MaxOutput: -1,
	}
	if len(o.Command) > 0 {
		opts.Command = o.commandLine()
	}
	process, err := sandbox.Commands.StartTerminal(ctx, opts)
	if err != nil {
		return err
	}
	fd := int(os.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return errors.Join(err, process.Kill(ctx))
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	stop := followSize(func() { _ = process.Resize(context.WithoutCancel(ctx), terminalSize()) })
	defer stop()
	// As with pipes, this goroutine ends with the input or with abx.
	go func() { _ = send(context.WithoutCancel(ctx), process, f.IO.In) }()
	return finish(ctx, process, out.broken)
}

func terminalSize() sandboxclient.TerminalSize {
	width, height, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return sandboxclient.TerminalSize{}
	}
	return sandboxclient.TerminalSize{Cols: uint32(width), Rows: uint32(height)}
}
