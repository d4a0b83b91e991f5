package main

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// asProgram makes this test binary the program itself.
const asProgram = "SANDBOXD_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	sandboxd.Init()
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program is a running sandboxd.
type program struct {
	*exec.Cmd
	env    map[string]string
	stderr *bytes.Buffer
}

func startProgram(t *testing.T, state string, args ...string) *program {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{env: make(map[string]string), stderr: new(bytes.Buffer)}
	p.Cmd = exec.Command(exe, append([]string{"-listen", "127.0.0.1:0", "-isolation", "none", "-state-dir", state}, args...)...)
	p.Env, p.Stderr = append(os.Environ(), asProgram+"=1"), p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.ProcessState == nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	for lines := bufio.NewScanner(out); len(p.env) < 6 && lines.Scan(); {
		name, value, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		p.env[name] = value
	}
	if len(p.env) < 6 {
		t.Fatalf("printed %v; stderr: %s", p.env, p.stderr)
	}
	return p
}

func (p *program) client(t *testing.T) *sandboxclient.Client {
	t.Helper()
	c, err := sandboxclient.New(p.env["E2B_API_KEY"], &sandboxclient.Options{
		APIURL: p.env["E2B_API_URL"], SandboxURL: p.env["E2B_SANDBOX_URL"],
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func left(t *testing.T, dir string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return paths
}

func TestASignalLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		state := t.TempDir()
		p := startProgram(t, state)
		sandbox, err := p.client(t).Create(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sandbox.Commands.Run(t.Context(), "setsid sleep 600 >/dev/null 2>&1 &", nil); err != nil {
			t.Fatal(err)
		}
		if err := p.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err != nil || p.stderr.Len() > 0 {
			t.Errorf("%s: ended with %v; stderr: %s", signal, err, p.stderr)
		}
		if paths := left(t, state); len(paths) > 0 {
			t.Errorf("%s: left %q", signal, paths)
		}
	}
}

// What a crash leaves is gone once the next server has started.
func TestACrashIsSwept(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	crashed := startProgram(t, state)
	sandbox, err := crashed.client(t).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := sandbox.Commands.Run(t.Context(), "pwd", nil)
	if err != nil {
		t.Fatal(err)
	}
	home := strings.TrimSpace(result.Stdout.String())
	if err := crashed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	crashed.Wait()

	p := startProgram(t, state)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(home); os.IsNotExist(err) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%s is there 10 s after the next start", home)
		}
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if paths := left(t, state); len(paths) > 0 {
		t.Errorf("left %q", paths)
	}
}

func TestKeyFromTheEnvironment(t *testing.T) {
	t.Setenv(keyVariable, "e2b_c0ffee")
	p := startProgram(t, t.TempDir(), "-profile", "fc")
	if p.env["E2B_API_KEY"] != "e2b_c0ffee" || p.env["ABX_SANDBOX_API_KEY"] != "e2b_c0ffee" {
		t.Errorf("printed %v", p.env)
	}
	sandbox, err := p.client(t).Create(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(sandbox.ID, "sbx-") || sandbox.EnvdVersion != "0.5.2" {
		t.Errorf("sandbox %q with envd %s", sandbox.ID, sandbox.EnvdVersion)
	}
	res, err := http.Get(p.env["E2B_API_URL"] + "/sandboxes")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a key: %d", res.StatusCode)
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"serve"}, exitUsage, `unexpected argument "serve"`},
		{[]string{"-colour"}, exitUsage, "-colour"},
		{[]string{"-memory", "lots"}, exitUsage, "want a size like 512m or 2g"},
		{[]string{"-profile", "azure", "-listen", "127.0.0.1:0"}, exitError, `sandboxd: profile "azure" is not known`},
		{[]string{"-listen", "nowhere"}, exitError, "sandboxd: listen tcp"},
		{[]string{"-help"}, exitOK, keyVariable},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(c.args, &stdout, &stderr); got != c.status || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("%q: status %d, stderr %q, stdout %q", c.args, got, &stderr, &stdout)
		}
	}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"1": 1, "4k": 4096, "512M": 512 << 20, "2g": 2 << 30} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "1x", "1.5g", "g", "9999999999999g"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}
