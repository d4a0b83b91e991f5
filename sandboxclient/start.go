package sandboxclient

import (
	"context"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// StartOptions configure Start; nil means the defaults.
type StartOptions struct {
	// Cwd, User and Envs are those of [RunOptions].
	Cwd, User string
	Envs      map[string]string
	// Timeout kills the process tree after this time; 0: never.
	Timeout time.Duration
	// Stdin keeps the process's stdin open for SendStdin; false: the process
	// reads end of file at once.
	Stdin bool
	// OnStdout, OnStderr and MaxOutput are those of [RunOptions].
	OnStdout, OnStderr func([]byte)
	MaxOutput          int
}

// Start starts cmd in a login bash and returns once it runs. ctx is only for
// the start: the process lives on, until it ends, Kill, or Timeout. Call Wait,
// Kill or Detach in the end.
func (c *Commands) Start(ctx context.Context, cmd string, opts *StartOptions) (*Process, error) {
	const op = "start command"
	if opts == nil {
		opts = &StartOptions{}
	}
	spec := &processSpec{
		op: op, cmd: cmd, cwd: opts.Cwd, user: opts.User, envs: opts.Envs, timeout: opts.Timeout, stdin: opts.Stdin,
		onStdout: opts.OnStdout, onStderr: opts.OnStderr, maxOutput: opts.MaxOutput,
	}
	if err := spec.check(); err != nil {
		return nil, invalidArgument(op, err)
	}
	return c.launch(ctx, spec).running(ctx)
}

// running waits for the start event. A start that fails or is abandoned leaves
// nothing behind.
func (p *Process) running(ctx context.Context) (*Process, error) {
	ctx, cancel := p.sandbox.client.withDefaultDeadline(ctx, 0)
	defer cancel()
	go p.supervise(nil)
	select {
	case <-p.started:
		return p, nil
	case <-p.streamEnd:
		select {
		case <-p.started:
			return p, nil
		default:
			return nil, orElse(p.err, errNoEnd)
		}
	case <-ctx.Done():
		p.requestKill()
		<-p.done
		return nil, contextError(p.spec.op, p.sandbox.ID, ctx)
	}
}

// PID is the process id of the shell in the sandbox.
func (p *Process) PID() uint32 { return p.pid }

// Done is closed when the process has ended or its stream was left.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for the end of the process's shell. When ctx ends first, the
// process is left running and can be waited for again.
func (p *Process) Wait(ctx context.Context) (*Result, error) {
	select {
	case <-p.done:
		return p.result(context.WithoutCancel(ctx))
	case <-ctx.Done():
		return nil, contextError("wait for process", p.sandbox.ID, ctx)
	}
}

// Kill kills the process and everything that it started, and waits for that.
func (p *Process) Kill(ctx context.Context) error {
	p.requestKill()
	select {
	case <-p.done:
		return p.killErr
	case <-ctx.Done():
		return contextError("kill process", p.sandbox.ID, ctx)
	}
}

func (p *Process) requestKill() {
	select {
	case p.abort <- struct{}{}:
	default:
	}
}

// Detach leaves the process running and stops following it; [Commands.Connect]
// follows it again. A Timeout of its Start is then no longer kept.
func (p *Process) Detach() {
	p.leave(errLeft)
	<-p.done
}

// Signal sends a signal to the process and everything that it started: envd's
// own signal would reach only the shell.
func (p *Process) Signal(ctx context.Context, sig Signal) error {
	ctx, cancel := p.sandbox.client.withDefaultDeadline(ctx, 0)
	defer cancel()
	return p.sandbox.Commands.signalTree(ctx, &tree{pid: p.pid, runID: p.runID, user: p.spec.user}, sig)
}

// ConnectProcessOptions configure Connect; nil means the defaults.
type ConnectProcessOptions struct {
	User string
	// Terminal says that the process has a terminal: SendStdin types into it.
	Terminal           bool
	OnStdout, OnStderr func([]byte)
	MaxOutput          int
}

// Connect follows a process that runs already: only output from now on comes.
// A process that ended less than 30 seconds ago gives its exit code (envd 0.6
// and newer); an unknown pid is CodeNotFound.
func (c *Commands) Connect(ctx context.Context, pid uint32, opts *ConnectProcessOptions) (*Process, error) {
	if opts == nil {
		opts = &ConnectProcessOptions{}
	}
	info, err := c.find(ctx, pid)
	if err != nil {
		return nil, err
	}
	spec := &processSpec{
		op: "connect to process", user: opts.User,
		onStdout: opts.OnStdout, onStderr: opts.OnStderr, maxOutput: opts.MaxOutput,
	}
	runID := ""
	if info != nil {
		runID = info.Envs[runVariable]
	}
	markID := runID
	if opts.Terminal {
		markID, spec.pty = "", &TerminalSize{}
	}
	p := newProcess(ctx, c.sandbox, spec, runID, markID)
	go p.follow(processconnect.ProcessConnectProcedure, &process.ConnectRequest{Process: selector(pid)})
	return p.running(ctx)
}
