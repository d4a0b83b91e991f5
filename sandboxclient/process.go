package sandboxclient

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

const (
	// guardDelay: the server's deadline, which kills only the shell itself,
	// comes this much later than our clock, which kills the tree.
	guardDelay = 30 * time.Second
	// shellGrace is how long a stream whose shell has ended may still take to
	// end by itself, which leaves its connection usable.
	shellGrace = 50 * time.Millisecond
	// killTime bounds the kill of a tree, killGrace the rest of the stream
	// afterwards: together less than the 5 s that a call may end late.
	killTime  = 3 * time.Second
	killGrace = time.Second

	exitUnknown  = -1
	exitTimedOut = 124
)

// Process is a process in a sandbox whose output this client follows.
type Process struct {
	sandbox *Sandbox
	spec    *processSpec
	runID   string // value of runVariable and name of the mark; "" when unknown

	stdout, stderr *sink

	stream    context.Context // of the stream; carries nothing of the caller's deadline
	leave     context.CancelCauseFunc
	started   chan struct{} // closed once pid is known
	streamEnd chan struct{} // closed when the stream is over; then the fields below are set
	abort     chan struct{} // a value asks supervise to kill the tree
	done      chan struct{} // closed when supervise has ended

	pid      uint32
	exit     *process.ProcessEvent_EndEvent
	err      error // of the stream
	timedOut bool  // our clock ended it
	canceled bool  // the caller's context ended it
	killErr  error // why some of it may be left

	inputErr atomic.Pointer[error] // of feed, which may outlive the rest
}

// errLeft is why a stream ends that we leave on purpose.
var errLeft = errors.New("stream left")

func newProcess(ctx context.Context, s *Sandbox, spec *processSpec, runID, markID string) *Process {
	p := &Process{
		sandbox: s, spec: spec, runID: runID,
		stdout:  newSink(markID, spec.maxOutput, spec.onStdout),
		stderr:  newSink(markID, spec.maxOutput, spec.onStderr),
		started: make(chan struct{}), streamEnd: make(chan struct{}),
		abort: make(chan struct{}, 1), done: make(chan struct{}),
	}
	p.stream, p.leave = context.WithCancelCause(context.WithoutCancel(ctx))
	return p
}

// launch starts the process and follows it. The caller runs supervise.
func (c *Commands) launch(ctx context.Context, spec *processSpec) *Process {
	id := newRunID()
	markID := id
	if spec.pty != nil {
		markID = "" // a terminal is for a person, who ends it
	}
	p := newProcess(ctx, c.sandbox, spec, id, markID)
	request := spec.request(id, markID != "")
	go p.follow(processconnect.ProcessStartProcedure, request)
	return p
}

// supervise waits for the end of the stream and ends the tree itself when the
// time is up, on abort, or when canceled closes.
func (p *Process) supervise(canceled <-chan struct{}) {
	defer close(p.done)
	defer p.leave(errLeft)
	var timeUp <-chan time.Time
	if p.spec.timeout > 0 {
		timer := time.NewTimer(p.spec.timeout)
		defer timer.Stop()
		timeUp = timer.C
	}
	select {
	case <-p.streamEnd:
		return
	case <-timeUp:
		p.timedOut = true
	case <-canceled:
		p.canceled = true
	case <-p.abort:
	}
	p.killErr = p.kill()
}

// kill ends the tree, then gives the stream a moment to bring the last output.
func (p *Process) kill() error {
	pid := p.awaitPID(killGrace)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.stream), killTime)
	defer cancel()
	err := p.sandbox.Commands.signalTree(ctx, &tree{pid: pid, runID: p.runID, user: p.spec.user}, SIGKILL)
	rest := time.NewTimer(killGrace)
	defer rest.Stop()
	select {
	case <-p.streamEnd:
	case <-rest.C:
		p.leave(errLeft)
		<-p.streamEnd
	}
	return err
}

// awaitPID waits a little for a start that is under way: a kill that comes
// before the process would miss it. 0 means that none came.
func (p *Process) awaitPID(limit time.Duration) uint32 {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.started:
		return p.pid
	case <-p.streamEnd:
	case <-timer.C:
	}
	return 0
}

// result describes a process whose supervise has ended.
func (p *Process) result(ctx context.Context) (*Result, error) {
	r := &Result{Stdout: p.stdout.kept.output(), Stderr: p.stderr.kept.output(), ExitCode: p.exitCode(), KillErr: p.killErr}
	if err := p.inputErr.Load(); err != nil {
		r.StdinErr = *err
	}
	switch {
	case p.timedOut || CodeOf(p.err) == CodeTimeout && p.spec.timeout > 0:
		r.TimedOut, r.ExitCode = true, exitTimedOut
		return r, nil
	case p.canceled:
		r.ExitCode = exitUnknown
		return r, contextError(p.spec.op, p.sandbox.ID, ctx)
	case r.ExitCode == exitUnknown:
		return r, p.err
	}
	return r, nil
}

func (p *Process) exitCode() int {
	switch {
	case p.stdout.mark.ended:
		return p.stdout.mark.code
	case p.exit == nil:
		return exitUnknown
	case p.exit.GetExited() || p.exit.GetExitCode() >= 0:
		return int(p.exit.GetExitCode())
	default:
		return signalExit(p.exit.GetStatus())
	}
}
