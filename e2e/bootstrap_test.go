package e2e_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// TestTheArtifactStartsAsOnFC starts what deploy writes as the custom runtime
// does: the program by its path, no arguments, the port and the variables of
// config.yaml in the environment, and nothing else.
func TestTheArtifactStartsAsOnFC(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the artifact is a Linux program")
	}
	ctx := limited(t, 2*time.Minute)
	backend := harness.StartBackend(ctx, t, nil)
	d := newDesk(t)
	artifact := filepath.Join(d.dir, "artifact")
	d.abx(t, backend.Env(backend.URL), "mcp", "deploy", "--generate-token", "--output-dir", artifact)
	harness.Scenario(t, "bootstrap", func(t *testing.T) {
		address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
		token := tokenOf(t, artifact)
		cmd := exec.Command(filepath.Join(artifact, "bootstrap"))
		cmd.Dir = artifact
		_, port, _ := net.SplitHostPort(address)
		cmd.Env = append([]string{
			"FC_CUSTOM_LISTEN_PORT=" + port, "FC_FUNCTION_NAME=" + functionName, "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "PATH=/usr/bin:/bin",
			"ABX_MCP_AUTH_TOKEN=" + token, "ABX_DEFAULT_TEMPLATE=code-interpreter-v1",
		}, backend.Env(backend.URL)...)
		server := harness.StartProgram(t, cmd, "http://"+address+"/mcp", token)
		abx := server.Connect(ctx)
		equal(t, "stdout", abx.Call(ctx, "run_code", map[string]any{"code": "print(6*7)"})["stdout"], "42\n")
		server.Stop()
	})
	backend.AwaitNoSandbox(ctx, leftLimit)
}

func tokenOf(t *testing.T, artifact string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(artifact, ".env"))
	if err != nil {
		t.Fatal(err)
	}
	_, token, ok := strings.Cut(strings.TrimSpace(string(text)), "=")
	if !ok {
		t.Fatal("the token's file holds no NAME=VALUE")
	}
	return token
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatalf("listening at %s", l.Addr())
	}
	return addr.Port
}
