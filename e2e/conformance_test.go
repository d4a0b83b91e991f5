package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestConformance runs the MCP project's own suite against two servers: one
// that has every feature that the suite knows, on this project's HTTP stack,
// and abx itself, which has tools only.
func TestConformance(t *testing.T) {
	t.Parallel()
	suite := npmInstall(t, "conformance")
	t.Run("fixtures", func(t *testing.T) {
		t.Parallel()
		out, err := suite.try(t, "conformance", "server", "--url", startFixtures(t), "--suite", "all")
		results := summary(out)
		if err != nil || len(results) != 32 {
			t.Fatalf("%d scenarios, want 32: %v\n%s", len(results), err, out)
		}
		for name, r := range results {
			if r.failed != 0 {
				t.Errorf("%s: %d of its checks failed\n%s", name, r.failed, out)
			}
		}
	})
	t.Run("abx", func(t *testing.T) {
		t.Parallel()
		cmd := openCommand(t)
		cmd.Env = append(cmd.Env, "ABX_SANDBOX_API_KEY=e2b_00")
		out, _ := suite.try(t, "conformance", "server", "--url", startOpen(t, cmd), "--suite", "active")
		var passed []string
		for name, r := range summary(out) {
			if r.failed == 0 && r.passed > 0 {
				passed = append(passed, name)
			}
		}
		if want := slices.Sorted(maps.Keys(withoutFixtures)); !slices.Equal(slices.Sorted(slices.Values(passed)), want) {
			t.Errorf("passed are %q, want %q\n%s", passed, want, out)
		}
	})
}

// withoutFixtures are the scenarios that a server passes whatever its tools
// are. The other 22 call tools, resources and prompts that only the fixture
// server has.
var withoutFixtures = map[string]bool{
	"server-initialize": true, "ping": true, "tools-list": true, "server-sse-multiple-streams": true,
	"dns-rebinding-protection": true, "logging-set-level": true, "resources-list": true, "prompts-list": true,
}

type checks struct{ passed, failed int }

var summaryLine = regexp.MustCompile(`(?m)^\S+ ([a-z0-9-]+): (\d+) passed, (\d+) failed`)

// summary reads the table that the suite ends with.
func summary(out string) map[string]checks {
	results := map[string]checks{}
	_, table, _ := strings.Cut(out, "=== SUMMARY ===")
	for _, m := range summaryLine.FindAllStringSubmatch(table, -1) {
		passed, _ := strconv.Atoi(m[2])
		failed, _ := strconv.Atoi(m[3])
		results[m[1]] = checks{passed, failed}
	}
	return results
}

// startFixtures builds and starts the fixture server and gives its URL.
func startFixtures(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "mcp-conformance")
	build := exec.Command("go", "build", "-o", binary, "./cmd/mcp-conformance")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := harness.Run(build); err != nil {
		t.Fatalf("build: %v", err)
	}
	cmd := exec.Command(binary)
	cmd.Stderr = os.Stderr
	input, output := pipes(t, cmd)
	if err := harness.Start(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(fmt.Errorf("the fixture server ended with %w", err))
		}
	})
	url, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	return input, output
}
