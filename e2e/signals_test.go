package e2e_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestSignalsDestroyTheSandboxes ends abx in each way that it can be asked to
// end, in the middle of a call whose processes try to outlive it.
func TestSignalsDestroyTheSandboxes(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{
		"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP, "SIGKILL": syscall.SIGKILL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := harness.Command(t, "mcp", "start", "--local")
			abx := harness.StartStdio(ctx, t, cmd)
			abx.Call(ctx, "run_command", map[string]any{"command": "setsid nohup sleep 1000 >/dev/null 2>&1 &"})
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = abx.CallTool(ctx, &mcp.CallToolParams{Name: "run_command", Arguments: map[string]any{"command": "sleep 1000"}})
			}()
			abx.Signal(sig)
			_ = abx.Wait()
			<-done
			harness.CheckNothingLeft(t)
			if sig != syscall.SIGKILL { // what a killed abx leaves on disk is swept by the next one
				harness.CheckNothingLeft(t, environ(cmd.Env, "HOME"), environ(cmd.Env, "TMPDIR"))
			}
		})
	}
}
