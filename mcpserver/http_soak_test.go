package mcpserver_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
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
	for _, want := range []string{ // the answer to a kill comes after the sandbox is gone
		fmt.Sprintf("abx_sandboxes_created_total %d\n", total), fmt.Sprintf("abx_sandboxes_destroyed_total %d\n", total),
		"abx_sandboxes_alive 0\n", "abx_sandboxes_lost_total 0\n",
	} {
		eventually(t, "metrics have "+want, func() bool {
			_, metrics := server.get(t, "/metrics")
			return strings.Contains(metrics, want)
		})
	}
	http.DefaultClient.CloseIdleConnections()
	for range 3 { // a command that lost its sandbox takes some seconds to give up
		if runtime.NumGoroutine() < before+8*atOnce {
			break
		}
		time.Sleep(5 * time.Second)
	}
	eventually(t, "the goroutines are gone", func() bool { return runtime.NumGoroutine() < before+8*atOnce }) // connections to the backend stay
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
