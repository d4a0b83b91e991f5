package mcpserver_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// soakSessions is how many sessions the soak opens: ABX_SOAK_SESSIONS, or what
// takes a few seconds.
func soakSessions(t *testing.T) int {
	t.Helper()
	text := os.Getenv("ABX_SOAK_SESSIONS")
	if text == "" {
		return 100
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("ABX_SOAK_SESSIONS: %v", err)
	}
	return n
}

// TestHTTPSoak opens sessions many at a time. Each keeps a secret in its
// sandbox, then is deleted, abandoned, or loses its client in the middle of a
// call. Nobody gets another's secret, and in the end nothing is left.
func TestHTTPSoak(t *testing.T) { //nolint:paralleltest // it counts the goroutines of the process
	const atOnce = 16
	server := newHTTPServer(t, &mcpserver.HTTPOptions{
		SessionTTL: 5 * time.Second, // longer than a loaded machine lets a client wait between calls
		Limits:     mcpserver.Limits{Rate: 100_000, Burst: 100_000, CallsPerToken: 1000},
	})
	before := runtime.NumGoroutine()
	sessions := make(chan int)
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for n := range sessions {
				soakOne(t, server, n)
			}
		})
	}
	total := soakSessions(t)
	for n := range total {
		sessions <- n
	}
	close(sessions)
	wg.Wait()
	eventually(t, "every session has ended", func() bool { return server.handler.Sessions() == 0 && server.alive(t) == 0 })
	checkSoakMetrics(t, server, total)
	http.DefaultClient.CloseIdleConnections()
	// Idle connections to the backend stay, with three goroutines each: those of
	// the client and that of the server. A session has up to four calls under way.
	const connections = 3 * 4 * atOnce
	eventually(t, "the goroutines are gone", func() bool { return runtime.NumGoroutine() < before+connections })
}

// checkSoakMetrics holds the counters against each other. The backend has no
// sandbox any more; one whose kill was answered too late for its session is
// still counted as alive.
func checkSoakMetrics(t *testing.T, server *httpServer, total int) {
	t.Helper()
	_, metrics := server.get(t, "/metrics")
	count := map[string]int{}
	for line := range strings.Lines(metrics) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			count[name], _ = strconv.Atoi(value)
		}
	}
	created, destroyed, alive := count["abx_sandboxes_created_total"], count["abx_sandboxes_destroyed_total"], count["abx_sandboxes_alive"]
	if created != total || destroyed+alive != total || count["abx_sandboxes_lost_total"] != 0 {
		t.Errorf("%d sandboxes created, %d destroyed, %d counted as alive, %d lost; want %d created and none lost",
			created, destroyed, alive, count["abx_sandboxes_lost_total"], total)
	}
}

func soakOne(t *testing.T, server *httpServer, n int) {
	id, _ := server.soakPost(t, t.Context(), "", initializeBody)
	secret := rand.Text()
	server.soakPost(t, t.Context(), id, soakCall("run_command", map[string]any{"command": "echo " + secret + " >secret"}))
	if _, body := server.soakPost(t, t.Context(), id, soakCall("run_command", map[string]any{"command": "cat secret"})); !strings.Contains(body, `"stdout":"`+secret) {
		t.Errorf("session %d read %s, want its own secret", n, body)
	}
	switch n % 3 {
	case 0:
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, server.URL+"/mcp", nil)
		request.Header.Set("Mcp-Session-Id", id)
		if response, err := http.DefaultClient.Do(request); err != nil {
			t.Error(err)
		} else if _ = response.Body.Close(); response.StatusCode != http.StatusNoContent {
			t.Errorf("DELETE: status %d", response.StatusCode)
		}
	case 1: // the client goes away in the middle of a call
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		server.soakPost(t, ctx, id, soakCall("run_command", map[string]any{"command": "sleep 600"}))
	}
}

func soakCall(tool string, args map[string]any) string {
	body, _ := json.Marshal(map[string]any{ // plain values always marshal
		"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	return string(body)
}

// soakPost is do for many goroutines. A context that ends is no failure.
func (s *httpServer) soakPost(t *testing.T, ctx context.Context, session, body string) (id, answer string) { //nolint:revive // t comes first in a helper
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/mcp", strings.NewReader(body))
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Content-Type", "application/json")
	if session != "" {
		request.Header.Set("Mcp-Session-Id", session)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if ctx.Err() == nil {
			t.Error(err)
		}
		return "", ""
	}
	defer func() { _ = response.Body.Close() }()
	var text strings.Builder
	if err := response.Write(&text); err != nil && ctx.Err() == nil {
		t.Error(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d: %s", response.StatusCode, text.String())
	}
	return response.Header.Get("Mcp-Session-Id"), text.String()
}
