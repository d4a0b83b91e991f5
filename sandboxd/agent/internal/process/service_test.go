package process_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// bench is a service with a client and a home for its user.
type bench struct {
	processconnect.ProcessClient
	t    *testing.T
	svc  *process.Service
	home string
	ctx  context.Context
}

func newBench(t *testing.T, opts process.Options) *bench {
	t.Helper()
	home := t.TempDir()
	if opts.Settings == nil {
		opts.Settings = settings.New(settings.Values{})
	}
	if opts.BaseEnv == nil {
		opts.BaseEnv = map[string]string{"PATH": "/usr/local/bin:/usr/bin:/bin"}
	}
	svc := process.New(&opts)
	u := &account.User{Name: "user", UID: os.Geteuid(), GID: os.Getegid(), Home: home}
	_, handler := processconnect.NewProcessHandler(svc)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(account.NewContext(r.Context(), u)))
	}))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(func() {
		svc.Close()
		cancel()
		srv.Close()
	})
	plain := connect.WithAcceptCompression("gzip", nil, nil) // packing would only cost time
	client := processconnect.NewProcessClient(srv.Client(), srv.URL, plain)
	return &bench{ProcessClient: client, t: t, svc: svc, home: home, ctx: ctx}
}

// sh is a request that runs a script without standard input.
func sh(script string) *wire.StartRequest {
	off := false
	return &wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "/bin/sh", Args: []string{"-c", script}}, Stdin: &off}
}

// outcome is all that a stream said.
type outcome struct {
	pid                 uint32
	stdout, stderr, pty bytes.Buffer
	keepalives          int
	end                 *wire.ProcessEvent_EndEvent
	afterEnd            bool
	err                 error
}

func (o *outcome) take(ev *wire.ProcessEvent) {
	o.afterEnd = o.afterEnd || o.end != nil
	o.stdout.Write(ev.GetData().GetStdout())
	o.stderr.Write(ev.GetData().GetStderr())
	o.pty.Write(ev.GetData().GetPty())
	switch ev := ev.GetEvent().(type) {
	case *wire.ProcessEvent_Start:
		o.pid = ev.Start.GetPid()
	case *wire.ProcessEvent_Keepalive:
		o.keepalives++
	case *wire.ProcessEvent_End:
		o.end = ev.End
	}
}

func collect(s *connect.ServerStreamForClient[wire.StartResponse]) *outcome {
	o := &outcome{}
	for s.Receive() {
		o.take(s.Msg().GetEvent())
	}
	o.err = s.Err()
	return o
}

func collectConnect(s *connect.ServerStreamForClient[wire.ConnectResponse]) *outcome {
	o := &outcome{}
	for s.Receive() {
		o.take(s.Msg().GetEvent())
	}
	o.err = s.Err()
	return o
}

// start begins a process and waits for its pid.
func (b *bench) start(ctx context.Context, req *wire.StartRequest) (*connect.ServerStreamForClient[wire.StartResponse], uint32) {
	b.t.Helper()
	s, err := b.Start(ctx, req)
	if err != nil {
		b.t.Fatal(err)
	}
	if !s.Receive() {
		b.t.Fatalf("no start event: %v", s.Err())
	}
	pid := s.Msg().GetEvent().GetStart().GetPid()
	if pid == 0 {
		b.t.Fatalf("first event is %v, want start", s.Msg())
	}
	return s, pid
}

// run starts a process and follows it to its end.
func (b *bench) run(req *wire.StartRequest) *outcome {
	b.t.Helper()
	s, err := b.Start(b.ctx, req)
	if err != nil {
		b.t.Fatal(err)
	}
	return collect(s)
}

func (b *bench) path(name string) string { return filepath.Join(b.home, name) }

func byPID(pid uint32) *wire.ProcessSelector {
	return &wire.ProcessSelector{Selector: &wire.ProcessSelector_Pid{Pid: pid}}
}

func stdin(text string) *wire.ProcessInput {
	return &wire.ProcessInput{Input: &wire.ProcessInput_Stdin{Stdin: []byte(text)}}
}

// eventually waits for a condition that nothing announces.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: did not come true", what)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func codeIs(t *testing.T, err error, want connect.Code) {
	t.Helper()
	if connect.CodeOf(err) != want || err == nil {
		t.Errorf("error %v, want code %v", err, want)
	}
}

func TestOutputIsCompleteBeforeTheEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	const want = 300_000
	for range 10 {
		o := b.run(sh("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"))
		if o.err != nil || o.stdout.Len() != want || o.stderr.Len() != want || o.afterEnd {
			t.Fatalf("%d and %d bytes, output after the end: %v, error %v", o.stdout.Len(), o.stderr.Len(), o.afterEnd, o.err)
		}
		if o.end.GetStatus() != "exit status 0" || !o.end.GetExited() || o.end.Error != nil {
			t.Fatalf("end event %v", o.end)
		}
	}
}

func TestDeadlineKillsTheMainProcessOnly(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	survived := b.path("survived")
	ctx, cancel := context.WithTimeout(b.ctx, 300*time.Millisecond)
	defer cancel()
	s, pid := b.start(ctx, sh("echo before; (sleep 1; echo > "+survived+") & wait"))
	o := collect(s)
	codeIs(t, o.err, connect.CodeDeadlineExceeded)
	if o.end != nil || o.stdout.String() != "before\n" {
		t.Errorf("end %v, output %q; want no end and the output before the deadline", o.end, &o.stdout)
	}
	eventually(t, "process leaves the list", func() bool {
		list, err := b.List(b.ctx, &wire.ListRequest{})
		return err == nil && len(list.GetProcesses()) == 0
	})
	eventually(t, "descendant goes on", func() bool { return exists(survived) })
	res, err := b.SendSignal(b.ctx, &wire.SendSignalRequest{Process: byPID(pid), Signal: wire.Signal_SIGNAL_SIGKILL})
	if err == nil {
		t.Errorf("signal to a process that ended: %v", res)
	}
}

func TestDeadlineHoldsForAProcessWithoutClient(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	gone, leave := context.WithCancel(b.ctx)
	ctx, cancel := context.WithTimeout(gone, 500*time.Millisecond)
	defer cancel()
	b.start(ctx, sh("exec sleep 60"))
	leave()
	eventually(t, "process ends at its deadline", func() bool {
		list, err := b.List(b.ctx, &wire.ListRequest{})
		return err == nil && len(list.GetProcesses()) == 0
	})
}

func TestClientThatLeavesLeavesTheProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	goOn, done := b.path("go"), b.path("done")
	ctx, leave := context.WithCancel(b.ctx)
	// More output than any buffer holds: nobody reads it any more.
	_, pid := b.start(ctx, sh("until [ -e "+goOn+" ]; do sleep 0.02; done; head -c 4194304 /dev/zero; echo > "+done+"; exec sleep 60"))
	leave()
	if err := os.WriteFile(goOn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "process gets rid of its output", func() bool { return exists(done) })
	list, err := b.List(b.ctx, &wire.ListRequest{})
	if err != nil || len(list.GetProcesses()) != 1 || list.GetProcesses()[0].GetPid() != pid {
		t.Errorf("List: %v, %v", list, err)
	}
}

func TestStalledClientHoldsTheProcessAndNothingGrows(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	progress := b.path("progress")
	ctx, leave := context.WithCancel(b.ctx)
	defer leave()
	b.start(ctx, sh("i=0; while :; do head -c 1048576 /dev/urandom; i=$((i+1)); echo $i >> "+progress+"; done"))
	lines := func() int {
		text, _ := os.ReadFile(progress)
		return bytes.Count(text, []byte("\n"))
	}
	last, since := -1, time.Now()
	eventually(t, "process stands still", func() bool {
		if now := lines(); now != last {
			last, since = now, time.Now()
		}
		return time.Since(since) > 500*time.Millisecond
	})
	// Socket buffers hold some; a server without bounds would hold it all.
	if last > 32 {
		t.Errorf("%d MiB went somewhere while nobody was reading", last)
	}
	leave()
	eventually(t, "process goes on without its client", func() bool { return lines() > last+50 })
}

func TestCloseDoesNotWaitForStalledClients(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	_, pid := b.start(b.ctx, sh("setsid sh -c 'exec sleep 600' & while :; do head -c 1048576 /dev/zero; done"))
	closed := make(chan struct{})
	go func() { b.svc.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(15 * time.Second):
		t.Fatal("Close hangs")
	}
	if exists("/proc/self") && exists(filepath.Join("/proc", strconv.Itoa(int(pid)))) {
		t.Errorf("process %d is still there", pid)
	}
	_, err := b.Start(b.ctx, sh("true"))
	if err == nil {
		s, _ := b.Start(b.ctx, sh("true"))
		err = collect(s).err
	}
	codeIs(t, err, connect.CodeUnavailable)
}

func TestListenersGetTheSame(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	goOn := b.path("go")
	s, pid := b.start(b.ctx, sh("until [ -e "+goOn+" ]; do sleep 0.02; done; head -c 300000 /dev/zero; exit 7"))
	results := make(chan *outcome, 3)
	var ready []*connect.ServerStreamForClient[wire.ConnectResponse]
	for range 3 {
		c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(pid)})
		if err != nil || !c.Receive() || c.Msg().GetEvent().GetStart().GetPid() != pid {
			t.Fatalf("connect: %v, %v", err, c.Err())
		}
		ready = append(ready, c)
	}
	for _, c := range ready {
		go func() { results <- collectConnect(c) }()
	}
	if err := os.WriteFile(goOn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := collect(s); o.stdout.Len() != 300000 || o.end.GetExitCode() != 7 {
		t.Errorf("starter got %d bytes, end %v", o.stdout.Len(), o.end)
	}
	for range 3 {
		if o := <-results; o.stdout.Len() != 300000 || o.end.GetExitCode() != 7 || o.err != nil {
			t.Errorf("listener got %d bytes, end %v, error %v", o.stdout.Len(), o.end, o.err)
		}
	}
}

func TestExitIsRetainedForAWhile(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{Retain: 300 * time.Millisecond})
	o := b.run(sh("exit 9"))
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
	if err != nil {
		t.Fatal(err)
	}
	if late := collectConnect(c); late.end.GetExitCode() != 9 || late.pid != o.pid || late.err != nil {
		t.Errorf("late listener: %v, %v", late.end, late.err)
	}
	eventually(t, "exit is forgotten", func() bool {
		c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
		if err == nil {
			err = collectConnect(c).err
		}
		return connect.CodeOf(err) == connect.CodeNotFound
	})
}

func TestExitIsNotRetainedWithoutRetention(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	o := b.run(sh("true"))
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byPID(o.pid)})
	if err == nil {
		err = collectConnect(c).err
	}
	codeIs(t, err, connect.CodeNotFound)
}

func TestTagFindsTheNewest(t *testing.T) {
	t.Parallel()
	b := newBench(t, process.Options{})
	tag := "job"
	var pids []uint32
	for range 3 {
		req := sh("exec sleep 60")
		req.Tag = &tag
		_, pid := b.start(b.ctx, req)
		pids = append(pids, pid)
	}
	byTag := &wire.ProcessSelector{Selector: &wire.ProcessSelector_Tag{Tag: tag}}
	c, err := b.Connect(b.ctx, &wire.ConnectRequest{Process: byTag})
	if err != nil || !c.Receive() {
		t.Fatalf("connect: %v", errors.Join(err, c.Err()))
	}
	if got := c.Msg().GetEvent().GetStart().GetPid(); got != pids[2] {
		t.Errorf("pid %d, want the newest of %v", got, pids)
	}
}
