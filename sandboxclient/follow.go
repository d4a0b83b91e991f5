package sandboxclient

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// errSilent ends a stream whose server missed two keepalives.
var errSilent = errors.New("no event and no keepalive for too long")

// follow calls procedure and reads the stream to its end. It is the only
// goroutine that touches the sinks before streamEnd is closed.
func (p *Process) follow(procedure string, request proto.Message) {
	defer close(p.streamEnd)
	ctx := p.stream
	if p.spec.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.spec.timeout+guardDelay) // told to the server
		defer cancel()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errLeft)
	stream, first, err := p.open(ctx, procedure, request)
	if err != nil {
		p.err = err
		return
	}
	defer stream.close()
	p.read(ctx, cancel, stream, first)
	p.stdout.close()
	p.stderr.close()
}

// open gives the stream and its first event, which may need a second try while
// the sandbox starts up.
func (p *Process) open(ctx context.Context, procedure string, request proto.Message) (stream *eventStream, first event, err error) {
	s := p.sandbox
	err = s.envd.call(ctx, false, func() error {
		err := s.withCodec(func(*rpcClients) error {
			opened, err := s.openEvents(ctx, procedure, p.spec.user, request)
			if err != nil {
				return err
			}
			if first, err = opened.next(); err != nil {
				opened.close()
				return err
			}
			stream = opened
			return nil
		})
		if err != nil {
			return p.rpcError(err)
		}
		return nil
	})
	return stream, first, err
}

// read takes the events up to the end, or to the end of the shell.
func (p *Process) read(ctx context.Context, cancel context.CancelCauseFunc, stream *eventStream, first event) {
	dog := newWatchdog(p.sandbox.client.streamIdle, func() { cancel(errSilent) })
	defer dog.rest()
	var grace *time.Timer
	defer func() {
		if grace != nil {
			grace.Stop()
		}
	}()
	e, err := first, error(nil)
	for ; err == nil; e, err = stream.next() {
		dog.rest()
		p.take(e)
		dog.pet()
		if grace == nil && p.shellEnded() {
			grace = time.AfterFunc(shellGrace, func() { cancel(errLeft) })
		}
	}
	if p.exit == nil && !p.shellEnded() {
		p.err = p.broken(ctx, err)
	}
}

func (p *Process) take(e event) {
	switch e.kind {
	case outputStdout, outputPTY:
		p.stdout.write(e.data)
	case outputStderr:
		p.stderr.write(e.data)
	}
	switch e := e.event.GetEvent().(type) {
	case *process.ProcessEvent_Start:
		p.takeStart(e.Start.GetPid())
	case *process.ProcessEvent_End:
		p.exit = e.End
	}
}

func (p *Process) takeStart(pid uint32) {
	if p.pid != 0 {
		return
	}
	p.pid = pid
	close(p.started)
	if p.spec.input != nil {
		go p.feed(p.spec.input)
	}
}

func (p *Process) shellEnded() bool { return p.stdout.mark.ended && p.stderr.mark.ended }

// rpcError describes an error of envd. Where envd repeats what it was to start,
// that is the script around the caller's command: the command takes its place.
func (p *Process) rpcError(err error) error {
	err = rpcError(p.spec.op, p.sandbox.ID, ResourceProcess, err)
	if e, ok := errors.AsType[*Error](err); ok && p.spec.cmd != "" {
		e.Message = strings.ReplaceAll(e.Message, wrap(p.spec.cmd, p.runID), p.spec.cmd)
	}
	return err
}

// broken describes a stream that ended without an end event.
func (p *Process) broken(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		err = cause
	}
	switch {
	case errors.Is(err, errLeft):
		return &Error{Op: p.spec.op, Code: CodeOutcomeUnknown, SandboxID: p.sandbox.ID, Err: err}
	case fromServer(err):
		return p.rpcError(err)
	default:
		return p.sandbox.cut(p.stream, p.spec.op, err)
	}
}
