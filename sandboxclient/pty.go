package sandboxclient

import (
	"context"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// TerminalSize is the size of a terminal in characters.
type TerminalSize struct {
	Cols, Rows uint32
}

// TerminalOptions configure StartTerminal; nil means the defaults.
type TerminalOptions struct {
	// Command runs on the terminal instead of an interactive shell; "" is the
	// shell.
	Command string
	// Size is 80 columns and 24 rows when it is zero.
	Size      TerminalSize
	Cwd, User string
	// Envs win over TERM=xterm-256color and LANG=LC_ALL=C.UTF-8.
	Envs map[string]string
	// Timeout kills everything in the terminal after this time; 0: never.
	Timeout time.Duration
	// OnOutput gets what the terminal shows, see [RunOptions].
	OnOutput func([]byte)
	// MaxOutput is how much of it Result.Stdout keeps, see [RunOptions].
	MaxOutput int
}

// StartTerminal starts an interactive login bash, or a command in a login bash,
// on a terminal of its own. SendStdin types into it. ctx is only for the start.
func (c *Commands) StartTerminal(ctx context.Context, opts *TerminalOptions) (*Process, error) {
	const op = "start terminal"
	if opts == nil {
		opts = &TerminalOptions{}
	}
	envs := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
	for name, value := range opts.Envs {
		envs[name] = value
	}
	size := opts.Size
	if size == (TerminalSize{}) {
		size = TerminalSize{Cols: 80, Rows: 24}
	}
	spec := &processSpec{
		op: op, cmd: opts.Command, cwd: opts.Cwd, user: opts.User, envs: envs, timeout: opts.Timeout, pty: &size,
		onStdout: opts.OnOutput, maxOutput: opts.MaxOutput,
	}
	if err := spec.check(); err != nil {
		return nil, invalidArgument(op, err)
	}
	return c.launch(ctx, spec).running(ctx)
}

// Resize changes the size of the process's terminal.
func (p *Process) Resize(ctx context.Context, size TerminalSize) error {
	call := &rpcCall{op: "resize terminal", user: p.spec.user, resource: ResourceProcess, idempotent: true}
	_, err := processRPC(ctx, p.sandbox, call, processconnect.ProcessClient.Update, &process.UpdateRequest{Process: selector(p.pid), Pty: size.wire()})
	return err
}

func (t *TerminalSize) wire() *process.PTY {
	return &process.PTY{Size: &process.PTY_Size{Cols: t.Cols, Rows: t.Rows}}
}
