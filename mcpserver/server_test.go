package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// fakeBackend counts sandboxes and echoes commands.
type fakeBackend struct {
	mu               sync.Mutex
	created, running int
}

func (f *fakeBackend) Create(context.Context, *mcpserver.CreateSpec) (mcpserver.Sandbox, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.created++
	f.running++
	return fakeSandbox{}, nil
}

func (f *fakeBackend) Connect(context.Context, string, time.Duration) (mcpserver.Sandbox, error) {
	return fakeSandbox{}, nil
}
func (f *fakeBackend) Metadata(context.Context, string) (map[string]string, error)    { return nil, nil }
func (f *fakeBackend) SetTimeout(context.Context, string, time.Duration) error { return nil }
func (f *fakeBackend) Kill(context.Context, string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running--
	return nil
}

type fakeSandbox struct{}

func (fakeSandbox) ID() string       { return "sb1" }
func (fakeSandbox) Template() string { return "base" }
func (fakeSandbox) Run(_ context.Context, command string, _ *mcpserver.RunOptions) (*mcpserver.RunResult, error) {
	return &mcpserver.RunResult{Stdout: mcpserver.Output{Head: []byte(command), Total: int64(len(command))}}, nil
}

func (fakeSandbox) RunCode(_ context.Context, code string, _ *mcpserver.CodeOptions) (*mcpserver.Execution, error) {
	return &mcpserver.Execution{Stdout: mcpserver.Output{Head: []byte(code), Total: int64(len(code))}}, nil
}

func TestConcurrentFirstCallsShareOneSandbox(t *testing.T) {
	t.Parallel()
	backend := &fakeBackend{}
	client, end, err := mcpserver.NewWithBackend(backend, nil).InMemory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "run_command", Arguments: json.RawMessage(`{"command":"hello"}`)})
			if err != nil || res.IsError {
				t.Errorf("call: %v %v", res, err)
				return
			}
			if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, `"stdout":"hello"`) {
				t.Error(text)
			}
		})
	}
	wg.Wait()
	if err := end(t.Context()); err != nil {
		t.Fatal(err)
	}
	if backend.created != 1 || backend.running != 0 {
		t.Errorf("created %d, left %d; want 1 and 0", backend.created, backend.running)
	}
}
