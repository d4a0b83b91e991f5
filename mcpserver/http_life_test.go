package mcpserver_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func commandCall(id int, command string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"run_command","arguments":{"command":%q}}}`, id, command)
}

// alive counts the sandboxes that the backend has.
func (s *httpServer) alive(t *testing.T) int {
	t.Helper()
	client, err := sandboxclient.New(s.backend.APIKey, &sandboxclient.Options{APIURL: s.backend.URL, SandboxURL: s.backend.URL})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range client.List(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestHTTPDeleteAnswersTheCallInFlightAndDestroys(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	session := server.open(t, "")
	answer := make(chan string, 1)
	go func() {
		answer <- readAll(t, server.do(t, &raw{method: "POST", session: session, body: commandCall(5, "sleep 600")}))
	}()
	eventually(t, "the call has a sandbox", func() bool { return server.alive(t) == 1 })
	if got := server.do(t, &raw{method: "DELETE", session: session}).StatusCode; got != http.StatusNoContent {
		t.Errorf("DELETE: status %d, want 204", got)
	}
	if n := server.alive(t); n != 0 {
		t.Errorf("%d sandboxes when DELETE has answered", n)
	}
	body := <-answer
	if !strings.Contains(body, `"id":5`) || !strings.Contains(body, "session_closed") {
		t.Errorf("the call in flight got %q, want an error that says the session was closed", body)
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if got := server.do(t, &raw{method: method, session: session, body: commandCall(6, "true")}).StatusCode; got != http.StatusNotFound {
			t.Errorf("%s after DELETE: status %d, want 404", method, got)
		}
	}
}

func TestHTTPIdleSessionExpiresWithItsSandboxes(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{SessionTTL: 300 * time.Millisecond})
	session := server.open(t, "")
	// A call that takes longer than the TTL holds the session.
	body := readAll(t, server.do(t, &raw{method: "POST", session: session, body: commandCall(2, "sleep 1; echo done")}))
	if !strings.Contains(body, "done") {
		t.Fatalf("the long call got %q", body)
	}
	eventually(t, "the idle session is gone", func() bool { return server.handler.Sessions() == 0 && server.alive(t) == 0 })
	if got := server.do(t, &raw{method: "POST", session: session, body: commandCall(3, "true")}).StatusCode; got != http.StatusNotFound {
		t.Errorf("status %d after the TTL, want 404", got)
	}
}

func TestHTTPOpenStreamHoldsTheSession(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{SessionTTL: 200 * time.Millisecond})
	session := server.open(t, "")
	ctx, hangUp := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Mcp-Session-Id", session)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	time.Sleep(800 * time.Millisecond) // four times the TTL, in which nothing must happen
	if n := server.handler.Sessions(); n != 1 {
		t.Fatalf("%d sessions while a stream is open, want 1", n)
	}
	hangUp()
	eventually(t, "the session ends after its stream did", func() bool { return server.handler.Sessions() == 0 })
}

func TestHTTPSilentCallSendsHeadersAndCommentsAtOnce(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	session := server.open(t, "")
	started := time.Now()
	response := server.do(t, &raw{method: "POST", session: session, body: commandCall(2, "sleep 4; echo done")})
	// The call takes 4 s; headers come after 1 s of silence.
	if took := time.Since(started); took > 3500*time.Millisecond {
		t.Errorf("headers came after %v, with the result", took)
	}
	if got := response.Header.Get("X-Accel-Buffering"); got != "no" {
		t.Errorf("X-Accel-Buffering is %q, want no", got)
	}
	body := readAll(t, response)
	if !strings.HasPrefix(body, ":") || !strings.Contains(body, `"id":2`) || !strings.Contains(body, "done") {
		t.Errorf("body is %q, want a comment, then the result", body)
	}
}

func TestHTTPLimits(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Limits: mcpserver.Limits{Sessions: 1, Body: 2000, Burst: 2, Rate: 1}})
	session := server.open(t, "")

	response := server.do(t, &raw{method: "POST", body: initializeBody})
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
		t.Errorf("a session too many: status %d, Retry-After %q", response.StatusCode, response.Header.Get("Retry-After"))
	}

	response = server.do(t, &raw{method: "POST", session: session, body: commandCall(2, strings.Repeat("x", 3000))})
	if body := readAll(t, response); response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "2000 bytes") {
		t.Errorf("a body too large: status %d, %q", response.StatusCode, body)
	}

	var last *http.Response
	for i := range 4 {
		last = server.do(t, &raw{method: "POST", session: session, body: commandCall(10+i, "true")})
		readAll(t, last)
	}
	if last.StatusCode != http.StatusTooManyRequests || last.Header.Get("Retry-After") == "" {
		t.Errorf("calls too fast: status %d, Retry-After %q", last.StatusCode, last.Header.Get("Retry-After"))
	}
}
