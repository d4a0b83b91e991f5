package main_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
)

// TestSecondSignalEndsAtOnce gives abx a backend that does not answer when it
// destroys its sandboxes: the first signal then waits, the second does not.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	backend, err := sandboxtest.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	cmd := exec.Command("abx", "mcp", "start", "--transport", "http", "--listen", "127.0.0.1:0", "--template", "base")
	cmd.Env = []string{
		"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "ABX_SANDBOX_API_KEY=" + backend.APIKey,
		"ABX_SANDBOX_BASE_URL=" + backend.URL, "ABX_SANDBOX_URL=" + backend.URL,
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(first), "serving MCP at ")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "create_sandbox"}); err != nil {
		t.Fatal(err)
	}
	held := backend.Inject(sandboxtest.Fault{Method: http.MethodDelete, Do: sandboxtest.Delay(time.Minute)})
	_ = cmd.Process.Signal(syscall.SIGTERM)
	for deadline := time.Now().Add(30 * time.Second); held.Hits() == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the first signal destroyed nothing")
		}
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	rest, _ := io.ReadAll(lines)
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("abx ended with %v, want exit code 143", err)
	}
	if !strings.Contains(string(rest), "sandboxes may remain") {
		t.Errorf("stderr is %q", rest)
	}
}
