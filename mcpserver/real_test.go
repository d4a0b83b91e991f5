package mcpserver_test

import (
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

func TestMain(m *testing.M) {
	sandboxd.Init()
	os.Exit(m.Run())
}

// real is a session on a backend that runs code for real.
type real struct {
	backend *sandboxtest.Server
	server  *mcpserver.Server
	client  *mcp.ClientSession
}

// onReal opens a session on a real backend of its own; nil options take the
// defaults, with the interpreter. All of it ends with the test, which fails
// when a sandbox outlives the session.
func onReal(t testing.TB, backendOpts *sandboxtest.Options, opts *mcpserver.Options) *real {
	t.Helper()
	backend, err := sandboxtest.NewServer(backendOpts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := backend.Close(); err != nil {
			t.Errorf("close backend: %v", err)
		}
	})
	client, err := sandboxclient.New(backend.APIKey, &sandboxclient.Options{APIURL: backend.URL, SandboxURL: backend.URL})
	if err != nil {
		t.Fatal(err)
	}
	if opts == nil {
		opts = &mcpserver.Options{Template: "code-interpreter-v1"}
	}
	server, err := mcpserver.New(client, opts)
	if err != nil {
		t.Fatal(err)
	}
	return &real{backend, server, connect(t, server)}
}

func (r *real) run(t testing.TB, tool, arguments string) map[string]any {
	t.Helper()
	return structured(t, r.client, tool, arguments)
}
