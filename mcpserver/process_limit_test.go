package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestSandboxAtItsProcessLimitNamesTheWayOut(t *testing.T) {
	t.Parallel()
	fake := &mcpserver.FakeBackend{OnRun: func(context.Context, string, *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		return nil, &sandboxclient.Error{Op: "run command", SandboxID: "sb1", Code: sandboxclient.CodeQuotaExceeded, Message: "resource temporarily unavailable"}
	}}
	client := connect(t, mcpserver.NewFake(fake, nil))
	code, message, _ := failure(t, client, "run_command", `{"command":"echo alive"}`)
	if code != "quota_exceeded" || !strings.Contains(message, "can start no more processes") || !strings.Contains(message, "kill_sandbox") {
		t.Errorf("%s: %s", code, message)
	}
}
