package process_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/process"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

func benchClient(b *testing.B) processconnect.ProcessClient {
	b.Helper()
	svc := process.New(&process.Options{Settings: settings.New(settings.Values{}), BaseEnv: map[string]string{"PATH": "/usr/bin:/bin"}})
	u := &account.User{Name: "user", UID: os.Geteuid(), GID: os.Getegid(), Home: b.TempDir()}
	_, handler := processconnect.NewProcessHandler(svc)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(account.NewContext(r.Context(), u)))
	}))
	b.Cleanup(func() { svc.Close(); srv.Close() })
	return processconnect.NewProcessClient(srv.Client(), srv.URL, connect.WithAcceptCompression("gzip", nil, nil))
}

// BenchmarkStart compares a Start of true with the exec that it cannot beat.
func BenchmarkStart(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rpc", func(b *testing.B) {
		client := benchClient(b)
		off := false
		for b.Loop() {
			s, err := client.Start(context.Background(), &wire.StartRequest{Process: &wire.ProcessConfig{Cmd: "/bin/true"}, Stdin: &off})
			if err != nil {
				b.Fatal(err)
			}
			if o := collect(s); o.err != nil || o.end == nil {
				b.Fatal(o.err)
			}
		}
	})
}

// BenchmarkOutput compares 64 MiB of output through the service with the same
// through a pipe.
func BenchmarkOutput(b *testing.B) {
	const script = "head -c 67108864 /dev/zero"
	const size = 64 << 20
	b.Run("pipe", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			cmd := exec.Command("/bin/sh", "-c", script)
			cmd.Stdout = struct{ io.Writer }{io.Discard}
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rpc", func(b *testing.B) {
		client := benchClient(b)
		b.SetBytes(size)
		for b.Loop() {
			s, err := client.Start(context.Background(), sh(script))
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for s.Receive() {
				n += len(s.Msg().GetEvent().GetData().GetStdout())
			}
			if s.Err() != nil || n != size {
				b.Fatal(n, s.Err())
			}
		}
	})
}
