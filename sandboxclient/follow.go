package sandboxclient

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// errSilent ends a stream whose server missed two keepalives.
var errSilent = errors.New("no event and no keepalive for too long")

// follow opens the stream and reads it to its end. It is the only goroutine
// that touches the sinks before streamEnd is closed.
func (p *Process) follow(open func(context.Context, *rpcClients) (eventStream, error)) {
	defer close(p.streamEnd)
	ctx := p.stream
	if p.spec.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.spec.timeout+guardDelay) // connect sends it as Connect-Timeout-Ms
		defer cancel()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errLeft)
	stream, err := p.open(ctx, open)
	if err != nil {
		p.err = err
		return
	}
	defer func() { _ = stream.Close() }()
	p.read(ctx, stream, cancel)
	p.stdout.close()
	p.stderr.close()
}

// open gives the stream after its first event, which may need a second try
// while the sandbox starts up.
func (p *Process) open(ctx context.Context, open func(context.Context, *rpcClients) (eventStream, error)) (stream eventStream, err error) {
	s := p.sandbox
	err = s.envd.call(ctx, false, func() error {
		err := s.withCodec(func(rpc *rpcClients) error {
			opened, err := open(s.streamContext(ctx, p.spec.user), rpc)
			if err != nil {
				return err
			}
			if !opened.Receive() {
				err = opened.Err()
				_ = opened.Close()
				return orElse(err, errNoEnd)
			}
			stream = opened
			return nil
		})
		if err != nil {
			return rpcError(p.spec.op, s.ID, ResourceProcess, err)
		}
		return nil
	})
	return stream, err
}

// errNoEnd: the server closed the stream properly, without the end event.
var errNoEnd = errors.New("the stream has no end event")

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// read takes the events of a stream whose first one has been received.
func (p *Process) read(ctx context.Context, stream eventStream, cancel context.CancelCauseFunc) {
	dog := newWatchdog(p.sandbox.client.streamIdle, func() { cancel(errSilent) })
	defer dog.stop()
	for more := true; more; more = stream.Receive() {
		dog.pet()
		p.take(stream.event())
		if p.shellEnded() && p.exit == nil {
			grace := time.AfterFunc(shellGrace, func() { cancel(errLeft) })
			defer grace.Stop()
			for stream.Receive() {
				p.take(stream.event())
			}
			break
		}
	}
	if p.exit == nil && !p.shellEnded() {
		p.err = p.broken(ctx, stream.Err())
	}
}

func (p *Process) take(event *process.ProcessEvent) {
	switch e := event.GetEvent().(type) {
	case *process.ProcessEvent_Data:
		p.takeData(e.Data)
	case *process.ProcessEvent_Start:
		p.takeStart(e.Start.GetPid())
	case *process.ProcessEvent_End:
		p.exit = e.End
	}
}

func (p *Process) takeData(data *process.ProcessEvent_DataEvent) {
	switch out := data.GetOutput().(type) {
	case *process.ProcessEvent_DataEvent_Stdout:
		p.stdout.write(out.Stdout)
	case *process.ProcessEvent_DataEvent_Stderr:
		p.stderr.write(out.Stderr)
	case *process.ProcessEvent_DataEvent_Pty:
		p.stdout.write(out.Pty)
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

// broken describes a stream that ended without an end event.
func (p *Process) broken(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		err = cause
		if errors.Is(cause, errLeft) {
			return &Error{Op: p.spec.op, Code: CodeOutcomeUnknown, SandboxID: p.sandbox.ID, Err: errLeft}
		}
	}
	if connect.IsWireError(err) {
		return rpcError(p.spec.op, p.sandbox.ID, ResourceProcess, err)
	}
	return p.sandbox.cut(p.stream, p.spec.op, orElse(err, errNoEnd))
}
