package sandboxtest_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest"
	"github.com/agentsandbox/agent-sandbox/sandboxd/sandboxtest/contract"
)

func TestRequestLog(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	sandbox := create(t, s)
	if _, err := sandbox.Commands.Run(t.Context(), "true", nil); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range s.Requests() {
		lines = append(lines, r.Method+" "+r.Path)
		if r.Path == "/sandboxes" && (r.Status != 201 || !strings.Contains(string(r.Body), `"templateID":"base"`)) {
			t.Errorf("create is logged with status %d and body %q", r.Status, r.Body)
		}
	}
	for _, want := range []string{"POST /sandboxes", "POST /process.Process/Start"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not in the log %q", want, lines)
		}
	}
	s.ForgetRequests()
	if left := s.Requests(); len(left) != 0 {
		t.Errorf("%d requests left", len(left))
	}
}

func TestExpireDuringACommand(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	sandbox := create(t, s)
	_, err := sandbox.Commands.Run(t.Context(), "echo up; sleep 600", &sandboxclient.RunOptions{
		OnStdout: func([]byte) { s.Expire(sandbox.ID) },
	})
	if !sandboxclient.IsSandboxGone(err) {
		t.Errorf("run: %v, want the code of a sandbox that is gone", err)
	}
	if s.Expire(sandbox.ID) {
		t.Error("expired twice")
	}
}

// The agent does what the real envd does: a stream ends with the last writer,
// not with the process that was started.
func TestAStreamWaitsForItsPipe(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	began := time.Now()
	frames := rawStart(t, s, create(t, s), "sleep 1 & echo done", "")
	if took := time.Since(began); took < 900*time.Millisecond || !strings.Contains(frames, `"exited":true`) {
		t.Errorf("the stream ended after %s: %q", took, frames)
	}
}

// At a deadline it kills the process that was started, and nothing else.
func TestADeadlineKillsOnlyTheProcess(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	sandbox := create(t, s)
	frames := rawStart(t, s, sandbox, `sleep 60 >/dev/null 2>&1 & echo $! > child; wait`, "500")
	if !strings.Contains(frames, "deadline_exceeded") {
		t.Errorf("the stream ended with %q", frames)
	}
	if got := run(t, sandbox, `kill -0 $(cat child) && echo alive`); got != "alive\n" {
		t.Errorf("the child is %q, want alive", got)
	}
}

// rawStart runs a command by the protocol itself, and returns the frames.
func rawStart(t *testing.T, s *sandboxtest.Server, sandbox *sandboxclient.Sandbox, command, timeoutMs string) string {
	t.Helper()
	message, err := json.Marshal(map[string]any{
		"process": map[string]any{"cmd": "/bin/bash", "args": []string{"-c", command}}, "stdin": false,
	})
	if err != nil {
		t.Fatal(err)
	}
	frame := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/process.Process/Start", bytes.NewReader(append(frame, message...)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = contract.Header(sandbox, 49983)
	req.Header.Set("Content-Type", "application/connect+json")
	if timeoutMs != "" {
		req.Header.Set("Connect-Timeout-Ms", timeoutMs)
	}
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	frames, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(frames), " ", "")
}

func TestAdvanceMovesOnlyTheFuture(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	c := client(t, s)
	short, err := c.Create(t.Context(), &sandboxclient.CreateOptions{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	long := create(t, s)
	s.Advance(2 * time.Minute)
	for end := time.Now().Add(10 * time.Second); ; {
		running, err := short.Running(t.Context())
		if err == nil && !running {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("running is %t, %v after its end", running, err)
		}
	}
	if running, err := long.Running(t.Context()); err != nil || !running {
		t.Errorf("the longer one: running is %t, %v", running, err)
	}
}

func TestCloseLeavesNoDirectory(t *testing.T) {
	t.Parallel()
	s, err := sandboxtest.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSpace(run(t, create(t, s), "pwd"))
	if _, err := os.Stat(home); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("%s after close: %v", home, err)
	}
}

func run(t *testing.T, sandbox *sandboxclient.Sandbox, command string) string {
	t.Helper()
	result, err := sandbox.Commands.Run(t.Context(), command, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result.Stdout.String()
}
