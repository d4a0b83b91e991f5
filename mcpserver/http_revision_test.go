package mcpserver_test

import (
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func TestNewestProtocolBoundsWhatIsNegotiated(t *testing.T) {
	t.Parallel()
	server := newHTTPServerOf(t, &mcpserver.Options{NewestProtocol: "2025-06-18"}, nil)
	body := readAll(t, server.do(t, &raw{method: "POST", body: initializeBody}))
	if !strings.Contains(body, `"protocolVersion":"2025-06-18"`) {
		t.Errorf("asked for 2025-11-25, got %s", body)
	}
}

func TestNewestProtocolMustBeARevision(t *testing.T) {
	t.Parallel()
	client, err := sandboxclient.New("e2b_00", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mcpserver.New(client, &mcpserver.Options{NewestProtocol: "2024"}); err == nil {
		t.Error("2024 was accepted")
	}
}
