package agent_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process/processconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
)

// serve runs an agent on a loopback port until the test ends.
func serve(t *testing.T, cfg *agent.Config) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- agent.Main(l, cfg) }()
	t.Cleanup(func() {
		_ = l.Close()
		if err := <-done; err != nil {
			t.Errorf("agent.Main: %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestStartDeliversOutputThenEnd(t *testing.T) {
	t.Parallel()
	url := serve(t, &agent.Config{Home: t.TempDir()})
	client := processconnect.NewProcessClient(http.DefaultClient, url)
	off := false
	stream, err := client.Start(deadline(t), &process.StartRequest{
		Process: &process.ProcessConfig{Cmd: "/bin/sh", Args: []string{"-c", "echo out; echo err >&2; exit 3"}},
		Stdin:   &off,
	})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	var end *process.ProcessEvent_EndEvent
	for stream.Receive() {
		ev := stream.Msg().GetEvent()
		stdout.Write(ev.GetData().GetStdout())
		stderr.Write(ev.GetData().GetStderr())
		if ev.GetEnd() != nil {
			end = ev.GetEnd()
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	if stdout.String() != "out\n" || stderr.String() != "err\n" {
		t.Errorf("stdout %q, stderr %q", &stdout, &stderr)
	}
	if end.GetExitCode() != 3 || !end.GetExited() || end.GetStatus() != "exit status 3" || end.GetError() != "exit status 3" {
		t.Errorf("end event %v", end)
	}
}

func TestFilesRoundTrip(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	url := serve(t, &agent.Config{Home: home})
	res, err := http.Post(url+"/files?path=sub/a.bin", "application/octet-stream", bytes.NewReader([]byte{0, 255, 1}))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("upload answered %s", res.Status)
	}
	onDisk, err := os.ReadFile(filepath.Join(home, "sub", "a.bin"))
	if err != nil || !bytes.Equal(onDisk, []byte{0, 255, 1}) {
		t.Fatalf("on disk: %v, %v", onDisk, err)
	}
	got, err := http.Get(url + "/files?path=sub/a.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if body, err := io.ReadAll(got.Body); err != nil || !bytes.Equal(body, onDisk) {
		t.Fatalf("download: %v, %v", body, err)
	}
}
