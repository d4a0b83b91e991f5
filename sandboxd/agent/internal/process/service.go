// Package process is the process service of envd: it starts programs, hands
// their output to every client that listens, and takes input and signals.
package process

import (
	"context"
	"errors"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// Options say how the service runs programs.
type Options struct {
	// Settings give the default directory and the global environment.
	Settings *settings.Store
	// BaseEnv is the weakest layer of the environment of a process; it should
	// hold PATH. HOME, USER and LOGNAME come from the user.
	BaseEnv map[string]string
	// Retain is how long the exit of a process can still be asked for with
	// Connect. Zero means not at all.
	Retain time.Duration
}

// Service implements the handler of process.Process.
type Service struct {
	opts  Options
	procs registry
}

var _ processconnect.ProcessHandler = (*Service)(nil)

// New makes a service without processes.
func New(opts *Options) *Service {
	s := &Service{opts: *opts}
	s.procs.retain = opts.Retain
	return s
}

// Close kills every process that is still there and waits for their ends.
// No process can be started afterwards.
func (s *Service) Close() {
	for _, p := range s.procs.shut() {
		p.abandon()
		<-p.ended
	}
}

// List answers with the running processes in order of their start.
func (s *Service) List(context.Context, *process.ListRequest) (*process.ListResponse, error) {
	res := &process.ListResponse{}
	for _, p := range s.procs.running() {
		res.Processes = append(res.Processes, p.info())
	}
	return res, nil
}

// Update sets the size of a terminal; without a size it does nothing.
func (s *Service) Update(_ context.Context, req *process.UpdateRequest) (*process.UpdateResponse, error) {
	p, err := s.procs.find(req.GetProcess())
	if err != nil {
		return nil, err
	}
	if req.GetPty().GetSize() == nil {
		return &process.UpdateResponse{}, nil
	}
	if err := p.resize(req.GetPty().GetSize()); err != nil {
		return nil, connect.NewError(connect.CodeInternal, err)
	}
	return &process.UpdateResponse{}, nil
}

var errClosed = connect.NewError(connect.CodeUnavailable, errors.New("the sandbox is shutting down"))
