package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// TestCancelledRunIsToldOfByTheNext: the client dropped the answer that could
// have said that the variables are gone.
func TestCancelledRunIsToldOfByTheNext(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnCode: func(_ context.Context, code string, _ *sandboxclient.CodeOptions) (*sandboxclient.Execution, error) {
		if code == "loop" {
			return &sandboxclient.Execution{Restarted: true}, &sandboxclient.Error{Op: "run code", Code: sandboxclient.CodeCanceled, Err: context.Canceled}
		}
		return &sandboxclient.Execution{ExecutionCount: 1}, nil
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	failure(t, client, "run_code", `{"code":"loop"}`)
	notes := func(language string) int {
		result := structured(t, client, "run_code", toJSON(t, "code", "1", "language", language))
		return strings.Count(toJSON(t, "notes", result["notes"]), "variables from before are lost")
	}
	for _, want := range []struct {
		language string
		told     int
	}{{"javascript", 0}, {"python", 1}, {"python", 0}} {
		if got := notes(want.language); got != want.told {
			t.Errorf("the next call in %s tells it %d times, want %d", want.language, got, want.told)
		}
	}
}
