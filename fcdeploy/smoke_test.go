package fcdeploy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// mcpStub is the least that speaks Streamable HTTP.
type mcpStub struct {
	cold    atomic.Int32 // answers 502 so often
	status  int          // of every answer, when not 0
	stream  bool         // answers as an event stream
	session string
	ended   atomic.Bool
}

func (m *mcpStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case m.cold.Add(-1) >= 0:
		w.WriteHeader(http.StatusBadGateway)
	case m.status != 0:
		http.Error(w, "refused for a reason\nsecond line", m.status)
	case r.Header.Get("Authorization") != "Bearer "+testToken:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodDelete:
		m.ended.Store(r.Header.Get("Mcp-Session-Id") == m.session)
		w.WriteHeader(http.StatusNoContent)
	default:
		m.answer(w, r)
	}
}

func (m *mcpStub) answer(w http.ResponseWriter, r *http.Request) {
	var call struct{ Method string }
	_ = json.NewDecoder(r.Body).Decode(&call)
	result := `{"tools":[{"name":"run_code"},{"name":"run_command"}]}`
	switch call.Method {
	case "notifications/initialized":
		w.WriteHeader(http.StatusAccepted)
		return
	case "initialize":
		w.Header().Set("Mcp-Session-Id", m.session)
		result = `{"protocolVersion":"2025-06-18","serverInfo":{"name":"agent-sandbox","version":"1.2"}}`
	}
	message := `{"jsonrpc":"2.0","id":1,"result":` + result + `}`
	if m.stream {
		message = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\nid: 1\nevent: message\ndata: " + message + "\n\n"
	}
	fmt.Fprint(w, message)
}

func TestSmoke(t *testing.T) {
	t.Parallel()
	for name, stub := range map[string]*mcpStub{"json": {session: "s1"}, "stream": {session: "s2", stream: true}, "stateless": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stub.cold.Store(2)
			server := httptest.NewServer(stub)
			defer server.Close()
			result, err := fcdeploy.Smoke(t.Context(), server.URL+"/mcp", testToken, &fcdeploy.SmokeOptions{Pause: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if result.Server != "agent-sandbox 1.2" || result.Protocol != "2025-06-18" || !slices.Equal(result.Tools, []string{"run_code", "run_command"}) {
				t.Errorf("result: %+v", result)
			}
			if result.Session != (stub.session != "") || stub.ended.Load() != result.Session {
				t.Errorf("session %v, ended %v", result.Session, stub.ended.Load())
			}
		})
	}
}

func TestSmokeFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		want   string
	}{
		"forbidden": {403, "403 Forbidden: refused for a reason"}, "not found": {404, "404"}, "always cold": {503, "503"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&mcpStub{status: test.status})
			defer server.Close()
			_, err := fcdeploy.Smoke(t.Context(), server.URL, testToken, &fcdeploy.SmokeOptions{Pause: time.Millisecond, ColdStart: 200 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), testToken) {
				t.Errorf("got %v", err)
			}
		})
	}
}
