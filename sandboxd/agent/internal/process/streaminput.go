package process

import (
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

var errNoStart = errors.New("the first message of the stream must be start")

// StreamInput writes data messages in order to the process that the first
// message names.
func (s *Service) StreamInput(ctx context.Context, in *connect.ClientStream[process.StreamInputRequest]) (*process.StreamInputResponse, error) {
	var p *proc
	for in.Receive() {
		next, err := s.takeInput(ctx, p, in.Msg())
		if err != nil {
			return nil, err
		}
		p = next
	}
	if err := in.Err(); err != nil {
		return nil, connect.NewError(connect.CodeUnknown, fmt.Errorf("read input stream: %w", err))
	}
	return &process.StreamInputResponse{}, nil
}

// takeInput handles one message for p and returns the process from here on.
func (s *Service) takeInput(ctx context.Context, p *proc, msg *process.StreamInputRequest) (*proc, error) {
	switch ev := msg.GetEvent().(type) {
	case *process.StreamInputRequest_Start:
		return s.procs.find(ev.Start.GetProcess())
	case *process.StreamInputRequest_Data:
		if p == nil {
			return nil, connect.NewError(connect.CodeInvalidArgument, errNoStart)
		}
		return p, p.send(ctx, ev.Data.GetInput())
	case *process.StreamInputRequest_Keepalive:
		return p, nil
	default:
		return nil, connect.NewError(connect.CodeUnimplemented, fmt.Errorf("invalid event type %T", ev))
	}
}
