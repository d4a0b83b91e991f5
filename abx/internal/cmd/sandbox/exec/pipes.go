package exec

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func runOnPipes(ctx context.Context, f *cmdutil.Factory, o *Options, sandbox *sandboxclient.Sandbox, envs map[string]string) error {
	out := &forwarder{broken: make(chan struct{})}
	process, err := sandbox.Commands.Start(ctx, o.commandLine(), &sandboxclient.StartOptions{
		Cwd: o.Cwd, User: o.User, Envs: envs, Timeout: o.Timeout, Stdin: !o.NoStdin,
		OnStdout: out.to(f.IO.Out), OnStderr: out.to(f.IO.ErrOut), MaxOutput: -1,
	})
	if err != nil {
		return err
	}
	if !o.NoStdin {
		// A read of standard input cannot be interrupted: this goroutine ends
		// with the input, or with abx.
		go func() { _ = send(context.WithoutCancel(ctx), process, f.IO.In) }()
	}
	return finish(ctx, process, out.broken)
}

// send passes input on until it ends, then closes the process's own.
func send(ctx context.Context, process *sandboxclient.Process, in io.Reader) error {
	buffer := make([]byte, 32<<10)
	for {
		n, err := in.Read(buffer)
		if n > 0 {
			if err := process.SendStdin(ctx, buffer[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return process.CloseStdin(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// forwarder writes output on, and tells once that it cannot.
type forwarder struct {
	once   sync.Once
	broken chan struct{}
}

func (o *forwarder) to(w io.Writer) func([]byte) {
	return func(data []byte) {
		if _, err := w.Write(data); err != nil {
			o.once.Do(func() { close(o.broken) })
		}
	}
}
