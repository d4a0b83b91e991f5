package process

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/keepalive"
)

// relay sends the events of sub, and a keepalive after each idle interval,
// until the process ends or the context does.
func relay(ctx context.Context, sub *subscriber, send func(*event) error) error {
	interval := keepalive.Interval(ctx)
	idle := time.NewTimer(interval)
	defer idle.Stop()
	for {
		ev, more, err := next(ctx, sub, idle)
		if err != nil || !more {
			return err
		}
		if err := send(ev); err != nil {
			return err
		}
		idle.Reset(interval)
	}
}

func next(ctx context.Context, sub *subscriber, idle *time.Timer) (ev *event, more bool, err error) {
	select {
	case ev, more = <-sub.events:
		return ev, more, nil
	case <-idle.C:
		return keepaliveEvent(), true, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// Connect follows a running process, or tells the end of one that ended a
// moment ago. Earlier output is not repeated.
func (s *Service) Connect(ctx context.Context, req *process.ConnectRequest, out *connect.ServerStream[process.ConnectResponse]) error {
	p, err := s.procs.findExited(req.GetProcess())
	if err != nil {
		return err
	}
	sub := p.out.subscribe()
	defer p.out.unsubscribe(sub)
	send := func(ev *event) error { return out.Send(&process.ConnectResponse{Event: ev}) }
	if err := send(startEvent(p.pid)); err != nil {
		return err
	}
	if err := relay(ctx, sub, send); err != nil {
		return err
	}
	return send(p.out.ending())
}

// Start runs a process and follows it. The process outlives a client that
// goes away; a deadline of the call is the deadline of the process.
func (s *Service) Start(ctx context.Context, req *process.StartRequest, out *connect.ServerStream[process.StartResponse]) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p, sub, err := s.start(ctx, req)
	if err != nil {
		return err
	}
	defer p.out.unsubscribe(sub)
	send := func(ev *event) error { return out.Send(&process.StartResponse{Event: ev}) }
	if err := send(startEvent(p.pid)); err != nil {
		return err
	}
	err = relay(ctx, sub, send)
	if p.expired.Load() || errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	if err != nil {
		return err
	}
	return send(p.out.ending())
}
