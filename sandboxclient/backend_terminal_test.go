package sandboxclient_test

import (
	"context"
	"fmt"
	"strings"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// terminalScript plays a terminal: it shows how it was started, each new size,
// and the first input, which ends it.
func terminalScript(ctx context.Context, s *processService, req *process.StartRequest, out *connect.ServerStream[process.StartResponse]) error {
	s.terminal = make(chan string)
	emit := func(e *process.ProcessEvent) error { return out.Send(&process.StartResponse{Event: e}) }
	show := func(text string) error {
		return emit(&process.ProcessEvent{Event: &process.ProcessEvent_Data{Data: &process.ProcessEvent_DataEvent{
			Output: &process.ProcessEvent_DataEvent_Pty{Pty: []byte(text)},
		}}})
	}
	_ = emit(&process.ProcessEvent{Event: &process.ProcessEvent_Start{Start: &process.ProcessEvent_StartEvent{Pid: 1}}})
	envs := req.GetProcess().GetEnvs()
	_ = show(fmt.Sprintf("%s %s TERM=%s LANG=%s|", size(req.GetPty()), strings.Join(req.GetProcess().GetArgs(), " "), envs["TERM"], envs["LANG"]))
	for {
		select {
		case text := <-s.terminal:
			_ = show(text)
			if strings.HasSuffix(text, "\n") {
				return emit(&process.ProcessEvent{Event: &process.ProcessEvent_End{End: &process.ProcessEvent_EndEvent{Exited: true}}})
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func size(pty *process.PTY) string {
	return fmt.Sprintf("%dx%d", pty.GetSize().GetCols(), pty.GetSize().GetRows())
}

func (s *processService) Update(_ context.Context, req *process.UpdateRequest) (*process.UpdateResponse, error) {
	s.terminal <- size(req.GetPty()) + "|"
	return &process.UpdateResponse{}, nil
}
