package sdk_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// backend is a sandboxd as a user would start it.
type backend struct {
	env    []string // what it printed for its clients
	caFile string
}

// build makes the program that a release would.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sandboxd")
	command(t, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-o", path,
		"github.com/agentsandbox/agent-sandbox/sandboxd/cmd/sandboxd")
	return path
}

// variables is how many lines the program prints when it is ready.
const variables = 6

// serve starts the program, and ends it with the test: nothing of it may be
// left then.
func serve(t *testing.T, binary string, v variant) *backend {
	t.Helper()
	state := stateDir(t)
	b := &backend{env: []string{"SANDBOXD_PROFILE=" + v.profile}, caFile: filepath.Join(t.TempDir(), "ca.pem")}
	cmd := exec.Command(binary, "-listen", "127.0.0.1:0", "-isolation", v.isolation, "-profile", v.profile,
		"-state-dir", state, "-ca-file", b.caFile)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop(t, cmd, &stderr)
		isEmpty(t, state)
	})
	lines := bufio.NewScanner(stdout)
	for len(b.env) <= variables && lines.Scan() {
		b.env = append(b.env, strings.TrimPrefix(lines.Text(), "export "))
	}
	if len(b.env) <= variables {
		cmd.Wait()
		t.Fatalf("sandboxd printed %q only; stderr: %s", b.env, &stderr)
	}
	return b
}

// stop ends the program as a terminal would.
func stop(t *testing.T, cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	if cmd.ProcessState != nil {
		return
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil || stderr.Len() > 0 {
			t.Errorf("sandboxd ended with %v; stderr: %s", err, stderr)
		}
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		t.Errorf("sandboxd did not end within a minute of SIGTERM")
	}
}

// stateDir is a directory that the user of a sandbox can reach, which
// t.TempDir is not for root: its sandboxes run as somebody else.
func stateDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandboxd-state-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func isEmpty(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if path != dir && err == nil {
			t.Errorf("left behind: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
