package e2e_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// nginxConfig cuts connections on which nothing came for 3 s. Buffering is left
// on: the server itself has to turn it off.
const nginxConfig = `daemon off;
worker_processes 1;
pid %[1]s/pid;
error_log %[1]s/error.log;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server {
		listen %[2]s;
		location / {
			proxy_pass http://%[3]s;
			proxy_http_version 1.1;
			proxy_read_timeout 3s;
		}
	}
}
`

// TestSilentCallSurvivesAProxy makes a call that says nothing for three times
// the proxy's idle limit. Without comments on the stream it would be cut.
func TestSilentCallSurvivesAProxy(t *testing.T) {
	t.Parallel()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("the proxy of this test is nginx, which is not installed")
	}
	ctx := limited(t, time.Minute)
	url := startOpen(t, openCommand(t, "--local", "--keep-alive", "1s"))
	proxy := startNginx(t, nginx, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp"))
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: proxy + "/mcp", MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "run_command", Arguments: map[string]any{"command": "sleep 9; echo done"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := harness.Text(result); !strings.Contains(got, "done") {
		t.Errorf("the call gave %s", got)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// startNginx starts a proxy in front of an address and gives its URL.
func startNginx(t *testing.T, nginx, backend string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nginx") // its workers may be another user
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // see above
		t.Fatal(err)
	}
	address := freeAddress(t)
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, address, backend), 0o644); err != nil { //nolint:gosec // see above
		t.Fatal(err)
	}
	cmd := exec.Command(nginx, "-c", config, "-p", dir)
	cmd.Stderr = os.Stderr
	if err := harness.Start(cmd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	awaitHTTP(t, "http://"+address+"/healthz")
	return "http://" + address
}

// freeAddress is one that nobody listens on just now.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func awaitHTTP(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		request, _ := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, url, nil)
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			return
		}
	}
	t.Fatalf("%s does not answer", url)
}
