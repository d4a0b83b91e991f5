package process_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
