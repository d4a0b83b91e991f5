package sandboxclient

import (
	"context"
	"io"
	"time"
)

// Commands runs shell commands in a sandbox.
type Commands struct{ sandbox *Sandbox }

// DefaultMaxOutput is how many bytes of each of stdout and stderr a command
// keeps when its options do not say.
const DefaultMaxOutput = 1 << 20

// RunOptions configure Run; nil runs the command as envd's default user in its
// default directory, without stdin and without a time limit of its own.
type RunOptions struct {
	// Cwd is the working directory; "" is the image's. A relative one starts
	// at the user's home.
	Cwd string
	// User is the OS user; "" is the sandbox's default.
	User string
	// Envs are added to the sandbox's environment, and win.
	Envs map[string]string
	// Timeout ends the command and everything that it started; 0: only ctx
	// limits it.
	Timeout time.Duration
	// Stdin is sent to the command, then closed; nil: the command reads end
	// of file at once. A Read in progress outlives Run.
	Stdin io.Reader
	// OnStdout and OnStderr get the raw bytes as they come, one call at a
	// time. A chunk ends inside a UTF-8 sequence only at the end of the
	// output. It is theirs only during the call. A slow one slows the command.
	OnStdout, OnStderr func([]byte)
	// MaxOutput is how many bytes of stdout, and of stderr, the Result keeps,
	// half from the beginning and half from the end; 0: DefaultMaxOutput,
	// negative: none.
	MaxOutput int
}

// Result is how a command ended.
type Result struct {
	Stdout, Stderr Output
	// ExitCode is the shell's, 128+n when signal n ended it, 124 when it
	// timed out, and -1 when it is not known.
	ExitCode int
	// TimedOut: RunOptions.Timeout came first.
	TimedOut bool
	// KillErr tells why processes may still be running after a timeout or a
	// cancelled context; nil when all of them are gone.
	KillErr error
	// StdinErr tells why RunOptions.Stdin was not sent to its end: its Read
	// failed, or the backend could not take it. Nil when the process merely
	// ended first.
	StdinErr error
}

// Run runs cmd in a login bash and waits for the end of that shell, not of
// what it left in the background. An exit code that is not zero is a Result,
// not an error.
//
// When Timeout or ctx ends the run, the whole process tree in the sandbox is
// killed first, and what was printed is returned: with a nil error after a
// Timeout, with CodeCanceled or CodeTimeout after ctx. A stream that breaks off
// is CodeOutcomeUnknown, or CodeSandboxGone when the sandbox is, again beside
// the Result so far.
func (c *Commands) Run(ctx context.Context, cmd string, opts *RunOptions) (*Result, error) {
	const op = "run command"
	if opts == nil {
		opts = &RunOptions{}
	}
	spec := &processSpec{
		op: op, cmd: cmd, cwd: opts.Cwd, user: opts.User, envs: opts.Envs, timeout: opts.Timeout,
		stdin: opts.Stdin != nil, input: opts.Stdin,
		onStdout: opts.OnStdout, onStderr: opts.OnStderr, maxOutput: opts.MaxOutput,
	}
	if err := spec.check(); err != nil {
		return nil, invalidArgument(op, err)
	}
	if ctx.Err() != nil {
		return nil, contextError(op, c.sandbox.ID, ctx)
	}
	p := c.launch(ctx, spec)
	p.supervise(ctx.Done())
	return p.result(ctx)
}
