package e2e_test

import (
	"context"
	crand "crypto/rand"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

const (
	// agents is how many work at once on one server.
	agents = 50
	// workVariable lengthens the work, as in ABX_E2E_AGENTS_FOR=2m.
	workVariable = "ABX_E2E_AGENTS_FOR"
)

// TestFiftyAgents has agents work, kill their sandboxes, end their sessions or leave them without
// a word, each with a number of its own that must always come back.
func TestFiftyAgents(t *testing.T) {
	t.Parallel()
	harness.Scenario(t, "at once", func(t *testing.T) {
		work := 20 * time.Second
		if text := os.Getenv(workVariable); text != "" {
			var err error
			if work, err = time.ParseDuration(text); err != nil {
				t.Fatalf("%s: %v", workVariable, err)
			}
		}
		ctx := limited(t, work+2*time.Minute)
		backend := harness.StartBackend(ctx, t, &harness.BackendOptions{Args: []string{"-max-sandboxes", "500"}})
		file, tokens := tokenFile(t, agents)
		server := harness.StartHTTP(t, backend.Env(backend.URL), "--auth-token-file", file)
		var calls atomic.Int64
		var all sync.WaitGroup
		end := time.Now().Add(work)
		for n := range agents {
			all.Go(func() {
				for time.Now().Before(end) {
					oneAgent(ctx, t, server, tokens[n], n, &calls)
				}
			})
		}
		all.Wait()
		server.Stop() // ends the sessions that were left
		backend.AwaitNoSandbox(ctx, leftLimit)
		t.Logf("%d calls", calls.Load())
		if calls.Load() < agents {
			t.Errorf("only %d calls were made", calls.Load())
		}
	})
}

// oneAgent has a session with a few calls and a random end.
func oneAgent(ctx context.Context, t *testing.T, server *harness.HTTPServer, token string, n int, calls *atomic.Int64) {
	session, err := server.Session(ctx, token)
	if err != nil {
		t.Errorf("agent %d: connect: %v", n, err)
		return
	}
	for range 1 + rand.IntN(4) {
		mark := fmt.Sprintf("%d-%d", n, rand.Int())
		begun := time.Now()
		result, err := session.CallTool(ctx, command("echo "+mark+" > /tmp/mine-"+mark+"; cat /tmp/mine-"+mark))
		if took := time.Since(begun); took > time.Minute+lateness {
			t.Errorf("agent %d: a call took %s", n, took)
		}
		calls.Add(1)
		if err != nil {
			t.Errorf("agent %d: %v", n, err)
			return
		}
		if !result.IsError {
			got, _ := result.StructuredContent.(map[string]any)
			equal(t, fmt.Sprintf("agent %d: stdout", n), got["stdout"], mark+"\n")
		} else if code := harness.Code(result); code != "rate_limited" {
			t.Errorf("agent %d: %s: %s", n, code, harness.Text(result))
		}
	}
	if rand.IntN(4) == 0 { // it may have none, after failed calls
		_, _ = session.CallTool(ctx, &mcp.CallToolParams{Name: "kill_sandbox"})
	}
	if rand.IntN(10) > 0 { // the others leave it to the server
		_ = session.Close()
	}
}

// tokenFile writes a file with tokens: the limits of calls are for each of them.
func tokenFile(t *testing.T, n int) (file string, tokens []string) {
	t.Helper()
	var text strings.Builder
	for i := range n {
		tokens = append(tokens, crand.Text())
		fmt.Fprintf(&text, "agent%d %s\n", i, tokens[i])
	}
	file = filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, tokens
}
