package mcpserver_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

const initializeBody = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`

// raw is one HTTP exchange, made by hand where a client would not.
type raw struct {
	method, session, token, body string
	header                       http.Header
}

func (s *httpServer) do(t *testing.T, r *raw) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), r.method, s.URL+"/mcp", strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Content-Type", "application/json")
	if r.session != "" {
		request.Header.Set("Mcp-Session-Id", r.session)
	}
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, values := range r.header {
		request.Header[name] = values
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

func readAll(t *testing.T, response *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// open initializes a session and returns its id.
func (s *httpServer) open(t *testing.T, token string) string {
	t.Helper()
	response := s.do(t, &raw{method: "POST", token: token, body: initializeBody})
	readAll(t, response)
	id := response.Header.Get("Mcp-Session-Id")
	if response.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("initialize: status %d, session %q", response.StatusCode, id)
	}
	return id
}

func twoTokens(t *testing.T) *mcpserver.Tokens {
	t.Helper()
	tokens, err := mcpserver.ParseTokens(strings.NewReader("alice token-a\nbob token-b\n"))
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func TestHTTPWithoutAGoodTokenIsRefused(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	for name, authorization := range map[string]string{
		"none": "", "empty": "Bearer ", "another scheme": "Basic dG9rZW4tYQ==", "wrong": "Bearer token-c", "no scheme": "token-a",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			if authorization != "" {
				header.Set("Authorization", authorization)
			}
			for _, method := range []string{"POST", "GET", "DELETE"} {
				response := server.do(t, &raw{method: method, body: initializeBody, header: header})
				if response.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s: status %d, want 401", method, response.StatusCode)
				}
				if got := response.Header.Get("WWW-Authenticate"); !strings.HasPrefix(got, "Bearer") {
					t.Errorf("%s: WWW-Authenticate is %q", method, got)
				}
				if body := readAll(t, response); !strings.HasPrefix(body, "{") {
					t.Errorf("%s: body is %q, want JSON", method, body)
				}
			}
		})
	}
	if n := server.handler.Sessions(); n != 0 {
		t.Errorf("%d sessions were opened", n)
	}
}

func TestHTTPWellKnownPathsAreNotFound(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/register"} {
		response, err := http.Get(server.URL + path) //nolint:noctx // the test ends it
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, response.StatusCode)
		}
	}
}

func TestHTTPSessionIsBoundToItsToken(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, &mcpserver.HTTPOptions{Tokens: twoTokens(t)})
	session := server.open(t, "token-a")
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if got := server.do(t, &raw{method: method, session: session, token: "token-b", body: list}).StatusCode; got != http.StatusNotFound {
			t.Errorf("%s with another's token: status %d, want 404", method, got)
		}
	}
	response := server.do(t, &raw{method: "POST", session: session, token: "token-a", body: list})
	if body := readAll(t, response); response.StatusCode != http.StatusOK || !strings.Contains(body, "run_code") {
		t.Errorf("the owner's own call: status %d, body %q", response.StatusCode, body)
	}
	if got := server.do(t, &raw{method: "DELETE", session: session, token: "token-a"}).StatusCode; got != http.StatusNoContent {
		t.Errorf("the owner's DELETE: status %d, want 204", got)
	}
}
