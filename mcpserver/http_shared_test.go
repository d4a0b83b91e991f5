package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// replicas are servers in front of one backend, behind a balancer that sends
// each request to the next of them.
type replicas struct {
	handlers []*mcpserver.Handler
	next     atomic.Uint32
}

// ServeHTTP implements http.Handler.
func (r *replicas) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.handlers[int(r.next.Add(1))%len(r.handlers)].ServeHTTP(w, request)
}

func newReplicas(t *testing.T, n int, opts mcpserver.HTTPOptions, server func() *mcpserver.Server) *replicas {
	t.Helper()
	opts.SessionState, opts.HandleKey = mcpserver.StateBackend, []byte("the key of all replicas")
	r := &replicas{}
	for range n {
		handler, err := server().Handler(&opts)
		if err != nil {
			t.Fatal(err)
		}
		r.handlers = append(r.handlers, handler)
		t.Cleanup(func() {
			if err := handler.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	return r
}

func fakeReplicas(t *testing.T, opts mcpserver.HTTPOptions) (*replicas, *mcpserver.FakeBackend) {
	t.Helper()
	fake := &mcpserver.FakeBackend{}
	return newReplicas(t, 2, opts, func() *mcpserver.Server { return mcpserver.NewFake(fake, nil) }), fake
}

// session is a session with the replicas.
type session struct {
	t        *testing.T
	replicas http.Handler
	id       string
	header   http.Header
}

func (r *replicas) open(t *testing.T, token string) *session {
	t.Helper()
	header := http.Header{}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	opened := request(t, r, "POST", "", initializeBody, header)
	id := opened.Header().Get("Mcp-Session-Id")
	if opened.Code != http.StatusOK || id == "" || !strings.Contains(opened.Body.String(), "2025-11-25") {
		t.Fatalf("initialize: %d %q, session %q", opened.Code, opened.Body, id)
	}
	return &session{t, r, id, header}
}

// call calls a tool at the next replica.
func (s *session) call(id int, tool, arguments string) string {
	s.t.Helper()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
	got := request(s.t, s.replicas, "POST", s.id, body, s.header)
	if got.Code != http.StatusOK {
		s.t.Fatalf("%s: status %d, %s", tool, got.Code, got.Body)
	}
	return got.Body.String()
}

func (s *session) status(method string) int {
	return request(s.t, s.replicas, method, s.id, listBody, s.header).Code
}

func contains(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("got %s, want it to hold %q", got, want)
	}
}

// TestReplicasServeOneSession is a client that knows nothing of it, code that
// keeps variables, and a backend that runs it.
func TestReplicasServeOneSession(t *testing.T) {
	t.Parallel()
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	all := newReplicas(t, 2, mcpserver.HTTPOptions{}, func() *mcpserver.Server {
		client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{APIURL: backend.URL, SandboxURL: backend.URL})
		if err != nil {
			t.Fatal(err)
		}
		server, err := mcpserver.New(client, &mcpserver.Options{Template: "code-interpreter-v1"})
		if err != nil {
			t.Fatal(err)
		}
		return server
	})
	web := httptest.NewServer(all)
	t.Cleanup(web.Close)
	server := &httpServer{Server: web, backend: backend}
	session := server.connect(t)
	for i := range 6 {
		result := callTool(t, session, "run_command", map[string]any{"command": "echo x >>n; wc -l <n | tr -d ' '"})
		if got, want := result.StructuredContent.(map[string]any)["stdout"], fmt.Sprintf("%d\n", i+1); got != want {
			t.Errorf("call %d: stdout %q, want %q", i, got, want)
		}
	}
	for i := range 4 {
		result := callTool(t, session, "run_code", map[string]any{"code": "n = globals().get('n', 0) + 1\nn"})
		if got, want := result.StructuredContent.(map[string]any)["result"], fmt.Sprint(i+1); got != want {
			t.Errorf("run %d: result %q, want %q: variables are not shared", i, got, want)
		}
	}
	if n := server.alive(t); n != 1 {
		t.Errorf("%d sandboxes, want 1", n)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if n := server.alive(t); n != 0 {
		t.Errorf("%d sandboxes after DELETE", n)
	}
}

func TestReplicasAgreeOnTheDefault(t *testing.T) {
	t.Parallel()
	all, fake := fakeReplicas(t, mcpserver.HTTPOptions{})
	s := all.open(t, "")
	contains(t, s.call(1, "run_command", `{"command":"a"}`), `"sandbox_id":"sb1"`)
	contains(t, s.call(2, "run_command", `{"command":"b"}`), `"sandbox_id":"sb1"`)
	contains(t, s.call(3, "create_sandbox", `{}`), `"sandbox_id":"sb2"`)
	contains(t, s.call(4, "run_command", `{"command":"c"}`), `"sandbox_id":"sb2"`)
	contains(t, s.call(5, "run_command", `{"command":"d"}`), `"sandbox_id":"sb2"`)
	contains(t, s.call(6, "kill_sandbox", `{}`), `"sandbox_id":"sb2"`)
	contains(t, s.call(7, "run_command", `{"command":"e"}`), `"sandbox_id":"sb1"`)
	contains(t, s.call(8, "run_command", `{"command":"f","sandbox_id":"sb1"}`), `"sandbox_id":"sb1"`)
	if got := s.status("DELETE"); got != http.StatusNoContent {
		t.Errorf("DELETE: %d", got)
	}
	if n := fake.Alive(); n != 0 {
		t.Errorf("%d sandboxes after DELETE", n)
	}
}

func TestReplicasKeepOneOfSandboxesMadeAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		all, fake := fakeReplicas(t, mcpserver.HTTPOptions{})
		both := make(chan struct{})
		var waiting atomic.Int32
		fake.OnCreate = func(context.Context) error { // both have found nothing, and create
			if waiting.Add(1) == 2 {
				close(both)
			}
			<-both
			return nil
		}
		s := all.open(t, "")
		answers := make([]string, 2)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = s.call(i, "run_command", `{"command":"x"}`) })
		}
		wg.Wait()
		for _, answer := range answers {
			contains(t, answer, `"sandbox_id":"sb1"`) // the older one
		}
		if made, alive := len(fake.Created()), fake.Alive(); made != 2 || alive != 1 {
			t.Errorf("%d made, %d alive; want 2 and 1", made, alive)
		}
		if s.status("DELETE"); fake.Alive() != 0 {
			t.Error("a sandbox is left after DELETE")
		}
	}
}

func TestReplicasSayThatTheDefaultIsLost(t *testing.T) {
	t.Parallel()
	all, fake := fakeReplicas(t, mcpserver.HTTPOptions{})
	s := all.open(t, "")
	s.call(1, "run_command", `{"command":"a"}`)
	fake.Created()[0].End()
	answer := s.call(2, "run_command", `{"command":"b"}`) // a replica that never used it
	contains(t, answer, `"sandbox_id":"sb2"`)
	contains(t, s.call(3, "run_command", `{"command":"c"}`), `"sandbox_id":"sb2"`)
	fake.Created()[1].End()
	contains(t, s.call(4, "run_command", `{"command":"d"}`), "sandbox_expired")
}

func TestReplicasLimitTheSandboxesOfASessionTogether(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{}
	all := newReplicas(t, 2, mcpserver.HTTPOptions{}, func() *mcpserver.Server {
		return mcpserver.NewFake(fake, &mcpserver.Options{MaxSandboxes: 3})
	})
	s := all.open(t, "")
	for i := range 3 {
		contains(t, s.call(i, "create_sandbox", `{}`), "sandbox_id")
	}
	contains(t, s.call(4, "create_sandbox", `{}`), "quota_exceeded")
	s.status("DELETE")
}

func TestSharedSessionIDsProveThemselves(t *testing.T) {
	t.Parallel()
	all, _ := fakeReplicas(t, mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	s := all.open(t, "token-a")
	for range 2 {
		if got := s.status("POST"); got != http.StatusOK {
			t.Errorf("its owner: %d, want 200", got)
		}
	}
	stranger := *s
	stranger.header = http.Header{"Authorization": {"Bearer token-b"}}
	forged := *s
	forged.id = s.id[:len(s.id)-2] + "aa"
	unsealed := *s
	unsealed.id, _, _ = strings.Cut(s.id, ".")
	for name, s := range map[string]*session{"another token": &stranger, "another code": &forged, "no code": &unsealed} {
		for _, method := range []string{"POST", "DELETE"} {
			if got := s.status(method); got != http.StatusNotFound {
				t.Errorf("%s: %s: %d, want 404", name, method, got)
			}
		}
	}
	if got := s.status("GET"); got != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d, want 405", got)
	}
	all.handlers = all.handlers[:1]
	s.status("DELETE")
	if got := s.status("POST"); got != http.StatusNotFound {
		t.Errorf("after DELETE at the same server: %d, want 404", got)
	}
}

func TestReplicaThatEndsOrForgetsLeavesTheSessionToOthers(t *testing.T) {
	t.Parallel()
	all, fake := fakeReplicas(t, mcpserver.HTTPOptions{SessionTTL: 20 * time.Millisecond})
	s := all.open(t, "")
	s.call(1, "run_command", `{"command":"a"}`)
	s.call(2, "run_command", `{"command":"b"}`)
	eventually(t, "both have forgotten it", func() bool { return all.handlers[0].Sessions()+all.handlers[1].Sessions() == 0 })
	contains(t, s.call(3, "run_command", `{"command":"c"}`), `"sandbox_id":"sb1"`)
	if err := all.handlers[0].Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	all.handlers = all.handlers[1:]
	contains(t, s.call(4, "run_command", `{"command":"d"}`), `"sandbox_id":"sb1"`)
	if labels := fake.Created()[0].Options.Metadata; labels[mcpserver.MetadataInstance] != "" {
		t.Error("the sandbox carries an instance: it would be reaped when that has ended")
	}
	s.status("DELETE")
}

func TestSharedCallIsCancelledByItsCaller(t *testing.T) {
	t.Parallel()
	all, fake := fakeReplicas(t, mcpserver.HTTPOptions{})
	all.handlers = all.handlers[:1] // the notification must come to where the call is
	running := make(chan struct{})
	fake.OnRun = func(ctx context.Context, _ string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		close(running)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s := all.open(t, "")
	answer := make(chan string, 1)
	go func() { answer <- s.call(5, "run_command", `{"command":"x"}`) }()
	<-running
	const note = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
	if got := request(t, all, "POST", s.id, note, s.header).Code; got != http.StatusAccepted {
		t.Errorf("the notification got %d", got)
	}
	contains(t, <-answer, `"cancelled"`)
	s.status("DELETE")
}

func TestSharedSessionsReportProgress(t *testing.T) {
	t.Parallel()
	all, fake := fakeReplicas(t, mcpserver.HTTPOptions{})
	fake.OnRun = func(_ context.Context, _ string, opts *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		opts.OnStdout([]byte("working\n"))
		time.Sleep(1500 * time.Millisecond) // longer than the interval of reports
		return &sandboxclient.Result{}, nil
	}
	web := httptest.NewServer(all)
	t.Cleanup(web.Close)
	var reports atomic.Int32
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { reports.Add(1) },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL + "/mcp"}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	params := &mcp.CallToolParams{Name: "run_command", Arguments: map[string]any{"command": "x"}}
	params.SetProgressToken("t")
	if _, err := session.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if reports.Load() == 0 {
		t.Error("no progress was reported")
	}
}

func TestSharedStateNeedsAKey(t *testing.T) {
	t.Parallel()
	for _, opts := range []*mcpserver.HTTPOptions{
		{SessionState: mcpserver.StateBackend},
		{SessionState: "disk"},
	} {
		if _, err := mcpserver.NewFake(&mcpserver.FakeBackend{}, nil).Handler(opts); err == nil {
			t.Errorf("%+v was accepted", opts)
		}
	}
}
