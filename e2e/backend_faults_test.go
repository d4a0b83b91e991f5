package e2e_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestBackendFaults has something happen to the backend in the middle of a call.
func TestBackendFaults(t *testing.T) {
	t.Parallel()
	faults := map[string]struct {
		do       func(ctx context.Context, b *harness.Backend)
		survives bool // the sandbox is there afterwards
	}{
		"paused for a while": {func(ctx context.Context, b *harness.Backend) {
			b.Pause(ctx)
			time.Sleep(time.Second)
			b.Resume(ctx)
		}, true},
		"paused past the timeout": {func(ctx context.Context, b *harness.Backend) {
			b.Pause(ctx)
			time.Sleep(callLimit + lateness)
			b.Resume(ctx)
		}, true},
		"killed":    {func(ctx context.Context, b *harness.Backend) { b.Kill(ctx) }, false},
		"restarted": {func(ctx context.Context, b *harness.Backend) { b.Restart(ctx) }, false},
	}
	for name, fault := range faults {
		harness.Scenario(t, name, func(t *testing.T) {
			t.Parallel()
			ctx := limited(t, 2*time.Minute)
			backend := harness.StartBackend(ctx, t, nil)
			cmd := harness.Command(t, "mcp", "start")
			cmd.Env = append(cmd.Env, backend.Env(backend.URL)...)
			abx := harness.StartStdio(ctx, t, cmd)
			mine := where(ctx, abx.Session, nil)
			done := make(chan struct{})
			code := spoil(ctx, t, abx.Session, func() {
				defer close(done)
				fault.do(ctx, backend)
			})
			<-done
			if !fault.survives && code == "" {
				t.Error("the call reports no error though its sandbox died")
			}
			afterwards(ctx, t, abx.Session, backend, name, mine)
			if name == "killed" {
				if err := abx.Close(); err == nil {
					t.Error("abx does not say that it could not destroy the sandbox")
				}
				return
			}
			abx.Stop()
			backend.AwaitNoSandbox(ctx, leftLimit)
		})
	}
}

// afterwards looks at what the next calls say.
func afterwards(ctx context.Context, t *testing.T, abx *harness.Session, backend *harness.Backend, fault, mine string) {
	t.Helper()
	switch fault {
	case "killed":
		code, _ := abx.Fail(ctx, "run_command", map[string]any{"command": "true", "timeout": 2})
		if code != "backend_unavailable" {
			t.Errorf("without a backend the code is %s", code)
		}
	case "restarted":
		result := abx.Try(ctx, "run_command", map[string]any{"command": "true"})
		if result.IsError { // said once, unless the broken call found it out
			equal(t, "code", harness.Code(result), "sandbox_expired")
		}
		if id := where(ctx, abx, nil); id == mine {
			t.Errorf("sandbox %s came back from the dead", id)
		}
	default:
		equal(t, "later calls use the sandbox", where(ctx, abx, nil), mine)
	}
}

// TestReapFindsWhatAKilledAbxLeft kills abx in the middle of a call.
func TestReapFindsWhatAKilledAbxLeft(t *testing.T) {
	t.Parallel()
	harness.Scenario(t, "reap", func(t *testing.T) {
		ctx := limited(t, time.Minute)
		backend := harness.StartBackend(ctx, t, nil)
		env := backend.Env(backend.URL)
		alive := transports["stdio"](ctx, t, env)
		kept := where(ctx, alive.connect(ctx), nil)

		cmd := harness.Command(t, "mcp", "start")
		cmd.Env = append(cmd.Env, env...)
		abx := harness.StartStdio(ctx, t, cmd)
		left := where(ctx, abx.Session, nil)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = abx.CallTool(ctx, &mcp.CallToolParams{Name: "run_command", Arguments: map[string]any{"command": "sleep 1000"}})
		}()
		time.Sleep(200 * time.Millisecond) // the call is under way
		abx.Signal(syscall.SIGKILL)
		_ = abx.Wait()
		<-ended
		equal(t, "sandboxes after the kill", len(backend.Sandboxes(ctx)), 2)

		out := newDesk(t).abx(t, env, "--json", "sandbox", "reap", "--yes")
		if !strings.Contains(out, left) || strings.Contains(out, kept) {
			t.Errorf("reap says %s, want %s alone", out, left)
		}
		equal(t, "sandboxes after reap", backend.Sandboxes(ctx), []string{kept})
		alive.stop()
		backend.AwaitNoSandbox(ctx, leftLimit)
	})
}
