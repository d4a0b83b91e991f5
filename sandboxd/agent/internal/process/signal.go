package process

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// signals are those that the protocol knows.
var signals = map[process.Signal]os.Signal{
	process.Signal_SIGNAL_SIGTERM: syscall.SIGTERM,
	process.Signal_SIGNAL_SIGKILL: syscall.SIGKILL,
}

// SendSignal reaches the main process only, not its descendants.
func (s *Service) SendSignal(_ context.Context, req *process.SendSignalRequest) (*process.SendSignalResponse, error) {
	p, err := s.procs.find(req.GetProcess())
	if err != nil {
		return nil, err
	}
	sig, ok := signals[req.GetSignal()]
	if !ok {
		return nil, connect.NewError(connect.CodeUnimplemented, fmt.Errorf("invalid signal: %s", req.GetSignal()))
	}
	if err := p.signal(sig); err != nil {
		return nil, connect.NewError(connect.CodeInternal, fmt.Errorf("error sending signal: %w", err))
	}
	return &process.SendSignalResponse{}, nil
}
