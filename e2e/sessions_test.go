package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// where runs a command and returns the id of the sandbox that it ran in.
func where(ctx context.Context, abx *harness.Session, args map[string]any) string {
	all := map[string]any{"command": "true"}
	for name, value := range args {
		all[name] = value
	}
	return fmt.Sprint(abx.Call(ctx, "run_command", all)["sandbox_id"])
}

func TestDefaultSandbox(t *testing.T) {
	t.Parallel()
	overBoth(t, func(ctx context.Context, t *testing.T, abx *harness.Session) {
		t.Helper()
		first := sharedByConcurrentCalls(ctx, t, abx)
		second := fmt.Sprint(abx.Call(ctx, "create_sandbox", nil)["sandbox_id"])
		if second == first {
			t.Error("create_sandbox made no new sandbox")
		}
		equal(t, "the created one is the default", where(ctx, abx, nil), second)
		equal(t, "an earlier one lives", where(ctx, abx, map[string]any{"sandbox_id": first}), first)
		equal(t, "naming one does not change the default", where(ctx, abx, nil), second)

		abx.Call(ctx, "kill_sandbox", nil)
		equal(t, "the other outlives the default", where(ctx, abx, map[string]any{"sandbox_id": first}), first)
		code, _ := abx.Fail(ctx, "run_command", map[string]any{"command": "true", "sandbox_id": second})
		equal(t, "a killed one", code, "sandbox_not_found")
		again := abx.Call(ctx, "kill_sandbox", map[string]any{"sandbox_id": second})
		equal(t, "killed again", again["already_gone"], true)
		if third := where(ctx, abx, nil); third == first || third == second {
			t.Errorf("the new default is %s, an old one", third)
		}
	})
}

// sharedByConcurrentCalls makes the first calls of a session at once, which
// must share one sandbox.
func sharedByConcurrentCalls(ctx context.Context, t *testing.T, abx *harness.Session) string {
	t.Helper()
	ids := make([]string, 5)
	var calls sync.WaitGroup
	for i := range ids {
		calls.Go(func() {
			result, err := abx.CallTool(ctx, command("true"))
			if err != nil {
				t.Error(err)
				return
			}
			structured, _ := result.StructuredContent.(map[string]any)
			ids[i], _ = structured["sandbox_id"].(string)
		})
	}
	calls.Wait()
	if distinct := slices.Compact(slices.Sorted(slices.Values(ids))); len(distinct) != 1 || distinct[0] == "" {
		t.Errorf("concurrent first calls used %q, want one sandbox", ids)
	}
	return ids[0]
}

func TestAnExpiredDefaultIsSaid(t *testing.T) {
	t.Parallel()
	overBoth(t, func(ctx context.Context, t *testing.T, abx *harness.Session) {
		t.Helper()
		created := abx.Call(ctx, "create_sandbox", map[string]any{"timeout": 1})
		time.Sleep(1500 * time.Millisecond) // its life
		code, _ := abx.Fail(ctx, "read_file", map[string]any{"path": "/etc/hostname"})
		equal(t, "code", code, "sandbox_expired")
		if id := where(ctx, abx, nil); id == created["sandbox_id"] {
			t.Error("the expired sandbox was used")
		}
	})
}

// TestASandboxOfAnotherIsNotDestroyed attaches to a sandbox by its id.
func TestASandboxOfAnotherIsNotDestroyed(t *testing.T) {
	t.Parallel()
	ctx := limited(t, time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	foreign, err := backend.Client().Create(ctx, &sandboxclient.CreateOptions{Template: "base", Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]any{"sandbox_id": foreign.ID}

	harness.Scenario(t, "stdio attaches", func(t *testing.T) {
		abx := transports["stdio"](ctx, t, backend.Env(backend.URL))
		equal(t, "sandbox", where(ctx, abx.connect(ctx), named), foreign.ID)
		abx.stop()
	})
	harness.Scenario(t, "http refuses", func(t *testing.T) {
		abx := transports["http"](ctx, t, backend.Env(backend.URL))
		code, _ := abx.connect(ctx).Fail(ctx, "run_command", map[string]any{"command": "true", "sandbox_id": foreign.ID})
		equal(t, "code", code, "sandbox_not_found")
		abx.stop()
	})
	equal(t, "sandboxes", backend.Sandboxes(ctx), []string{foreign.ID})
}

func TestHTTPSessionsAreApart(t *testing.T) {
	t.Parallel()
	ctx := limited(t, time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	server := harness.StartHTTP(t, backend.Env(backend.URL))
	harness.Scenario(t, "two sessions", func(t *testing.T) {
		one, other := server.Connect(ctx), server.Connect(ctx)
		for round := range 5 {
			for i, abx := range []*harness.Session{one, other} {
				abx.Call(ctx, "write_file", map[string]any{"path": "/tmp/mine", "content": fmt.Sprint(i, round)})
			}
		}
		if first, second := where(ctx, one, nil), where(ctx, other, nil); first == second {
			t.Fatalf("both use %s", first)
		}
		if err := one.Close(); err != nil {
			t.Errorf("end session: %v", err)
		}
		equal(t, "sandboxes after one ended", backend.Sandboxes(ctx), []string{where(ctx, other, nil)})
	})
	harness.Scenario(t, "newest revision", func(t *testing.T) {
		abx := server.ConnectAs(ctx, "")
		code, _ := abx.Fail(ctx, "run_command", map[string]any{"command": "true"})
		equal(t, "a call that names no sandbox", code, "no_default_sandbox")
		handle := abx.Call(ctx, "create_sandbox", nil)["sandbox_id"]
		named := map[string]any{"sandbox_id": handle}
		equal(t, "a call with the handle", where(ctx, abx, named), handle)
		abx.Call(ctx, "kill_sandbox", named)
	})
	server.Stop()
	backend.AwaitNoSandbox(ctx, leftLimit)
}
