package e2e_test

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// startOpen starts an abx that serves HTTP without a token, for programs that
// cannot send one, and gives the URL of its endpoint. When the test ends it is
// asked to end, which it must do well.
func startOpen(t *testing.T, cmd *exec.Cmd) (url string) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(cmd); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	first, _ := lines.ReadString('\n')
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		rest, _ := io.ReadAll(lines)
		if err := cmd.Wait(); err != nil {
			t.Errorf("abx ended with %v\n%s%s", err, first, rest)
		}
	})
	_, url, found := strings.Cut(strings.TrimSpace(first), "serving MCP at ")
	if !found {
		t.Fatalf("abx said %q", first)
	}
	return url
}

func openCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return harness.Command(t, append([]string{"mcp", "start", "--transport", "http", "--listen", "127.0.0.1:0"}, args...)...)
}
