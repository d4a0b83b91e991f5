package mcpserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// get fetches a path beside the endpoint, without a token.
func (s *httpServer) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	response, err := http.Get(s.URL + path) //nolint:noctx // the test ends it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response.StatusCode, readAll(t, response)
}

func TestMetricsCountCallsSessionsAndSandboxes(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	session := server.open(t, "token-a")
	post := func(body string) {
		readAll(t, server.do(t, &raw{method: "POST", token: "token-a", session: session, body: body}))
	}
	post(commandCall(2, "true"))
	post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/no/such"}}}`)
	_, body := server.get(t, "/metrics")
	for _, want := range []string{
		`abx_tool_calls_total{outcome="ok",tool="run_command"} 1`,
		`abx_tool_calls_total{outcome="path_not_found",tool="read_file"} 1`,
		"abx_sessions 1", "abx_sandboxes_created_total 1", "abx_sandboxes_alive 1",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %q", want)
		}
	}
	server.do(t, &raw{method: "DELETE", token: "token-a", session: session})
	_, body = server.get(t, "/metrics")
	for _, want := range []string{"abx_sessions 0", "abx_sandboxes_destroyed_total 1", "abx_sandboxes_alive 0", "abx_sandboxes_lost_total 0"} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics after DELETE lack %q", want)
		}
	}
	for _, secret := range []string{"token-a", session, "alice"} {
		if strings.Contains(body, secret) {
			t.Errorf("metrics name %q", secret)
		}
	}
}

func TestReadinessIsTheBackends(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	if status, _ := server.get(t, "/healthz"); status != http.StatusOK {
		t.Errorf("healthz: %d", status)
	}
	if status, _ := server.get(t, "/readyz"); status != http.StatusOK {
		t.Errorf("readyz: %d", status)
	}
	broken := newHTTPServer(t, nil)
	broken.backend.Inject(sandboxtest.Fault{Do: sandboxtest.Status(http.StatusServiceUnavailable, "no")})
	if status, body := broken.get(t, "/readyz"); status != http.StatusServiceUnavailable || strings.Contains(body, "127.0.0.1") {
		t.Errorf("readyz without a backend: %d %q", status, body)
	}
}
