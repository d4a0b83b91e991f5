package e2e_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

const (
	// callLimit is the timeout that the spoiled call gives.
	callLimit = 5 * time.Second
	// lateness is how much later than its timeout a call may end.
	lateness = 5 * time.Second
)

// networkFaults are done to the connections between abx and its backend in the
// middle of a call. Those that only slow it down must not change its answer.
var networkFaults = map[string]struct {
	toxic    string
	harmless bool
}{
	"latency":                {`{"type": "latency", "attributes": {"latency": 200, "jitter": 100}}`, true},
	"bandwidth":              {`{"type": "bandwidth", "attributes": {"rate": 64}}`, true},
	"slow close":             {`{"type": "slow_close", "attributes": {"delay": 500}}`, true},
	"small pieces":           {`{"type": "slicer", "attributes": {"average_size": 3, "size_variation": 2, "delay": 10}}`, true},
	"silence":                {`{"type": "timeout", "attributes": {"timeout": 0}}`, false},
	"silence, then closed":   {`{"type": "timeout", "attributes": {"timeout": 1000}}`, false},
	"reset":                  {`{"type": "reset_peer", "attributes": {"timeout": 0}}`, false},
	"cut within a frame":     {`{"type": "limit_data", "attributes": {"bytes": 7}}`, false},
	"requests do not arrive": {`{"type": "timeout", "stream": "upstream", "attributes": {"timeout": 0}}`, false},
}

func TestNetworkFaults(t *testing.T) {
	t.Parallel()
	ctx := limited(t, 3*time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	for name, fault := range networkFaults {
		harness.Scenario(t, name, func(t *testing.T) {
			t.Parallel()
			proxy := harness.StartProxy(t, backend)
			cmd := harness.Command(t, "mcp", "start")
			cmd.Env = append(cmd.Env, backend.Env(proxy.URL)...)
			abx := harness.StartStdio(ctx, t, cmd)
			mine := where(ctx, abx.Session, nil)
			spoiled := spoil(ctx, t, abx.Session, func() { proxy.Add(fault.toxic) })
			if fault.harmless && spoiled != "" {
				t.Errorf("the call reports %s", spoiled)
			}
			proxy.Clear(ctx)
			discardBroken(ctx, abx.Session)
			equal(t, "later calls use the sandbox", where(ctx, abx.Session, nil), mine)
			abx.Stop()
		})
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		backend.AwaitNoSandbox(ctx, leftLimit)
	})
}

// discardBroken makes calls until one succeeds, a few at most: a connection that
// the fault left half dead is found so by the next call on it, which is told
// that its outcome is unknown.
func discardBroken(ctx context.Context, abx *harness.Session) {
	for range 3 {
		if !abx.Try(ctx, "run_command", map[string]any{"command": "true"}).IsError {
			return
		}
	}
}

// spoil runs a command that counts, has the fault happen after its first line,
// and returns the error code of the call, "" for none. An answer that is no
// error must be the right one.
func spoil(ctx context.Context, t *testing.T, abx *harness.Session, fault func()) string {
	t.Helper()
	later := time.AfterFunc(500*time.Millisecond, fault)
	defer later.Stop()
	begun := time.Now()
	result := abx.Try(ctx, "run_command", map[string]any{
		"command": "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.2; done", "timeout": int(callLimit / time.Second),
	})
	if took := time.Since(begun); took > callLimit+lateness {
		t.Errorf("the call took %s, its timeout was %s", took, callLimit)
	}
	checkCount(t, result)
	return harness.Code(result)
}

func checkCount(t *testing.T, result *mcp.CallToolResult) {
	t.Helper()
	if result.IsError {
		if harness.Code(result) == "" || harness.Text(result) == "" {
			t.Errorf("an error without code or text: %q", harness.Text(result))
		}
		return
	}
	var want strings.Builder
	for i := 1; i <= 8; i++ {
		fmt.Fprintf(&want, "line %d\n", i)
	}
	got, _ := result.StructuredContent.(map[string]any)
	equal(t, "stdout", got["stdout"], want.String())
	equal(t, "exit_code", got["exit_code"], 0)
}
