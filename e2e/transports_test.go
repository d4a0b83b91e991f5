package e2e_test

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// leftLimit is how long sandboxes may outlive the session that made them.
const leftLimit = 10 * time.Second

// abxServer is a running abx, whichever its transport.
type abxServer struct {
	connect func(ctx context.Context) *harness.Session
	stop    func()
}

// transports start abx with an environment.
var transports = map[string]func(ctx context.Context, t *testing.T, env []string) *abxServer{
	"stdio": func(ctx context.Context, t *testing.T, env []string) *abxServer {
		t.Helper()
		cmd := harness.Command(t, "mcp", "start")
		cmd.Env = append(cmd.Env, env...)
		server := harness.StartStdio(ctx, t, cmd)
		return &abxServer{func(context.Context) *harness.Session { return server.Session }, server.Stop}
	},
	"http": func(_ context.Context, t *testing.T, env []string) *abxServer {
		t.Helper()
		server := harness.StartHTTP(t, env)
		return &abxServer{server.Connect, server.Stop}
	},
}

// overBoth tries a scenario over each transport, each with a backend of its own
// that must have no sandbox left when abx has ended.
func overBoth(t *testing.T, try func(ctx context.Context, t *testing.T, abx *harness.Session)) {
	t.Helper()
	for name, start := range transports {
		harness.Scenario(t, name, func(t *testing.T) {
			t.Parallel()
			ctx := limited(t, 2*time.Minute)
			backend := harness.StartBackend(ctx, t, nil)
			abx := start(ctx, t, backend.Env(backend.URL))
			try(ctx, t, abx.connect(ctx))
			abx.stop()
			backend.AwaitNoSandbox(ctx, leftLimit)
		})
	}
}

// limited is a context of the test with a deadline.
func limited(t *testing.T, limit time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

// command is a call of run_command.
func command(text string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "run_command", Arguments: map[string]any{"command": text}}
}
