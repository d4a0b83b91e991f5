package mcpserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// httpServer is a handler on a real listener, over a test backend.
type httpServer struct {
	*httptest.Server
	handler *mcpserver.Handler
	backend *sandboxtest.Server
}

func newHTTPServer(t *testing.T, opts *mcpserver.HTTPOptions) *httpServer {
	t.Helper()
	return newHTTPServerOf(t, nil, opts)
}

func newHTTPServerOf(t *testing.T, serverOpts *mcpserver.Options, opts *mcpserver.HTTPOptions) *httpServer {
	t.Helper()
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{APIURL: backend.URL, SandboxURL: backend.URL})
	if err != nil {
		t.Fatal(err)
	}
	server, err := mcpserver.New(client, serverOpts)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := server.Handler(opts)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := handler.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		web.Close()
	})
	return &httpServer{Server: web, handler: handler, backend: backend}
}

func (s *httpServer) connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp"},
		&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func callTool(t *testing.T, session *mcp.ClientSession, tool string, args map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result
}

func TestHTTPSessionOwnsItsSandboxUntilDelete(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	session := server.connect(t)
	for _, want := range []string{"1\n", "2\n"} {
		result := callTool(t, session, "run_command", map[string]any{"command": "echo x >>n; wc -l <n | tr -d ' '"})
		if got := result.StructuredContent.(map[string]any)["stdout"]; got != want {
			t.Errorf("stdout is %q, want %q: each call has a sandbox of its own", got, want)
		}
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if n := server.handler.Sessions(); n != 0 {
		t.Errorf("%d sessions after DELETE", n)
	}
}

func TestHTTPStatusOfRequestsWithoutASession(t *testing.T) {
	t.Parallel()
	server := newHTTPServer(t, nil)
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	tests := map[string]struct {
		method, session, body, contentType string
		header                             [2]string
		want                               int
	}{
		"call without a session":   {"POST", "", call, "application/json", [2]string{}, 400},
		"call on an unknown one":   {"POST", "nope", call, "application/json", [2]string{}, 404},
		"stream without a session": {"GET", "", "", "", [2]string{}, 400},
		"stream on an unknown one": {"GET", "nope", "", "", [2]string{}, 404},
		"delete without a session": {"DELETE", "", "", "", [2]string{}, 400},
		"delete of an unknown one": {"DELETE", "nope", "", "", [2]string{}, 404},
		"another method":           {"PUT", "", "", "", [2]string{}, 405},
		"foreign origin on POST":   {"POST", "", call, "application/json", [2]string{"Origin", "http://evil.example"}, 403},
		"foreign origin on GET":    {"GET", "", "", "", [2]string{"Origin", "http://evil.example"}, 403},
		"not JSON":                 {"POST", "", "{", "application/json", [2]string{}, 400},
		"another content type":     {"POST", "", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, "text/plain", [2]string{}, 415},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := http.NewRequestWithContext(t.Context(), tt.method, server.URL+"/mcp", strings.NewReader(tt.body))
			r.Header.Set("Accept", "application/json, text/event-stream")
			if tt.contentType != "" {
				r.Header.Set("Content-Type", tt.contentType)
			}
			if tt.session != "" {
				r.Header.Set("Mcp-Session-Id", tt.session)
			}
			if tt.header[0] != "" {
				r.Header.Set(tt.header[0], tt.header[1])
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != tt.want {
				t.Errorf("status %d, want %d", response.StatusCode, tt.want)
			}
		})
	}
}
