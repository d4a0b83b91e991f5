package sandboxclient_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
)

// processService is envd's process service over real processes of this
// machine, in a home of its own.
type processService struct {
	processconnect.UnimplementedProcessHandler
	tb   testing.TB
	home string
	mark string // in the environment of everything it starts

	// script, when set, takes the place of real processes.
	script   func(context.Context, *processService, *process.StartRequest, *connect.ServerStream[process.StartResponse]) error
	terminal chan string

	mu        sync.Mutex
	running   map[uint32]*runningProcess
	deadlines []time.Duration // of the Starts seen; 0 when there was none
}

type runningProcess struct {
	config *process.ProcessConfig
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	mu     sync.Mutex
	subs   []chan *process.ProcessEvent
}

func newProcessService(tb testing.TB) *processService {
	tb.Helper()
	s := &processService{tb: tb, home: tb.TempDir(), running: map[uint32]*runningProcess{}}
	s.mark = "TEST_BACKEND=" + filepath.Base(filepath.Dir(s.home)) + strconv.FormatInt(time.Now().UnixNano(), 36)
	tb.Cleanup(s.killAll)
	return s
}

// marked lists the live processes that s started, directly or not.
func (s *processService) marked() []int { return markedPIDs(s.mark) }

func markedPIDs(mark string) []int {
	var found []int
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !strings.Contains(string(env), mark) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// killAll ends what tests left behind.
func (s *processService) killAll() {
	s.mu.Lock()
	started := len(s.deadlines)
	s.mu.Unlock()
	if started == 0 || s.script != nil {
		return
	}
	mark := s.mark
	for left := markedPIDs(mark); len(left) > 0; left = markedPIDs(mark) {
		for _, pid := range left {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
	}
}

func (s *processService) Start(ctx context.Context, req *process.StartRequest, out *connect.ServerStream[process.StartResponse]) error {
	s.noteDeadline(ctx)
	if s.script != nil {
		return s.script(ctx, s, req, out)
	}
	config := req.GetProcess()
	cmd := exec.Command(config.GetCmd(), config.GetArgs()...)
	if cmd.Dir = s.home; config.Cwd != nil {
		cmd.Dir = config.GetCwd()
		if _, err := os.Stat(cmd.Dir); err != nil {
			return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("cwd '%s' does not exist", cmd.Dir))
		}
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, s.mark}
	for name, value := range config.GetEnvs() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	p := &runningProcess{config: config, cmd: cmd}
	if req.Stdin == nil || req.GetStdin() {
		p.stdin, _ = cmd.StdinPipe()
	}
	return s.run(ctx, p, out)
}

func (s *processService) noteDeadline(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := time.Duration(0)
	if deadline, ok := ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	s.deadlines = append(s.deadlines, left)
}

func (s *processService) run(ctx context.Context, p *runningProcess, out *connect.ServerStream[process.StartResponse]) error {
	stdout, stdoutW, _ := os.Pipe()
	stderr, stderrW, _ := os.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = stdoutW, stderrW
	err := p.cmd.Start()
	_, _ = stdoutW.Close(), stderrW.Close()
	if err != nil {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	pid := uint32(p.cmd.Process.Pid)
	events := make(chan *process.ProcessEvent, 16)
	p.subs = append(p.subs, events)
	s.mu.Lock()
	s.running[pid] = p
	s.mu.Unlock()
	go s.pump(p, pid, stdout, stderr)
	return send(ctx, pid, events, func(e *process.ProcessEvent) error {
		return out.Send(&process.StartResponse{Event: e})
	}, func() { _ = p.cmd.Process.Kill() })
}

// send passes events on. At the caller's deadline it kills the process itself,
// nothing that it started, as envd does; a caller that leaves kills nothing.
func send(ctx context.Context, pid uint32, events <-chan *process.ProcessEvent, emit func(*process.ProcessEvent) error, kill func()) error {
	start := &process.ProcessEvent{Event: &process.ProcessEvent_Start{Start: &process.ProcessEvent_StartEvent{Pid: pid}}}
	err := emit(start)
	defer func() { // drained, so that the process goes on without its listener
		go func() {
			for range events { //nolint:revive // nothing to do
			}
		}()
	}()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return nil
			}
			if err == nil {
				err = emit(e)
			}
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				kill()
			}
			return ctx.Err()
		}
	}
}

// pump reads both pipes to their end, which is when the last holder closes
// them, and only then reports the exit.
func (s *processService) pump(p *runningProcess, pid uint32, stdout, stderr *os.File) {
	var readers sync.WaitGroup
	readers.Go(func() { p.copy(stdout, false) })
	readers.Go(func() { p.copy(stderr, true) })
	readers.Wait()
	_ = p.cmd.Wait()
	state := p.cmd.ProcessState
	end := &process.ProcessEvent_EndEvent{ExitCode: int32(state.ExitCode()), Exited: state.Exited(), Status: state.String()}
	s.mu.Lock()
	delete(s.running, pid)
	s.mu.Unlock()
	p.publish(&process.ProcessEvent{Event: &process.ProcessEvent_End{End: end}})
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, sub := range p.subs {
		close(sub)
	}
	p.subs = nil
}

func (p *runningProcess) copy(r *os.File, isStderr bool) {
	defer func() { _ = r.Close() }()
	for {
		buffer := make([]byte, 32<<10)
		n, err := r.Read(buffer)
		if n > 0 {
			data := &process.ProcessEvent_DataEvent{Output: &process.ProcessEvent_DataEvent_Stdout{Stdout: buffer[:n]}}
			if isStderr {
				data.Output = &process.ProcessEvent_DataEvent_Stderr{Stderr: buffer[:n]}
			}
			p.publish(&process.ProcessEvent{Event: &process.ProcessEvent_Data{Data: data}})
		}
		if err != nil {
			return
		}
	}
}

func (p *runningProcess) publish(e *process.ProcessEvent) {
	p.mu.Lock()
	subs := p.subs
	p.mu.Unlock()
	for _, sub := range subs {
		sub <- e
	}
}

func (s *processService) lookup(sel *process.ProcessSelector) (*runningProcess, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.running[sel.GetPid()]; ok {
		return p, nil
	}
	return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("process with pid %d not found", sel.GetPid()))
}

func (s *processService) Connect(ctx context.Context, req *process.ConnectRequest, out *connect.ServerStream[process.ConnectResponse]) error {
	p, err := s.lookup(req.GetProcess())
	if err != nil {
		return err
	}
	events := make(chan *process.ProcessEvent, 16)
	p.mu.Lock()
	p.subs = append(p.subs, events)
	p.mu.Unlock()
	return send(ctx, req.GetProcess().GetPid(), events, func(e *process.ProcessEvent) error {
		return out.Send(&process.ConnectResponse{Event: e})
	}, func() {})
}

func (s *processService) List(context.Context, *process.ListRequest) (*process.ListResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := &process.ListResponse{}
	for pid, p := range s.running {
		list.Processes = append(list.Processes, &process.ProcessInfo{Config: p.config, Pid: pid})
	}
	return list, nil
}

func (s *processService) SendInput(_ context.Context, req *process.SendInputRequest) (*process.SendInputResponse, error) {
	if text := req.GetInput().GetPty(); text != nil && s.terminal != nil {
		s.terminal <- string(text)
		return &process.SendInputResponse{}, nil
	}
	p, err := s.lookup(req.GetProcess())
	if err != nil {
		return nil, err
	}
	if p.stdin == nil {
		return nil, connect.NewError(connect.CodeInternal, errors.New("stdin not enabled or closed"))
	}
	if _, err := p.stdin.Write(req.GetInput().GetStdin()); err != nil {
		return nil, connect.NewError(connect.CodeInternal, err)
	}
	return &process.SendInputResponse{}, nil
}

func (s *processService) CloseStdin(_ context.Context, req *process.CloseStdinRequest) (*process.CloseStdinResponse, error) {
	p, err := s.lookup(req.GetProcess())
	if err != nil {
		return nil, err
	}
	if p.stdin != nil {
		_ = p.stdin.Close()
	}
	return &process.CloseStdinResponse{}, nil
}
