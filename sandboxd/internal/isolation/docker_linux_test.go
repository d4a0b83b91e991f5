package isolation_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/engine"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// imagePrograms make up the image of these tests, with the libraries that
// they need: no registry has to be reached.
var imagePrograms = []string{"sh", "ls", "cat", "id", "sleep", "true", "echo", "mkdir", "chmod", "setsid", "env", "kill", "touch", "find", "stat"}

// testImage imports the image once and returns its name.
var testImage = sync.OnceValues(func() (string, error) {
	client, err := engine.New("")
	if err != nil {
		return "", err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := client.Ping(ctx); err != nil {
		return "", err
	}
	tree, err := imageTree()
	if err != nil {
		return "", err
	}
	const repository, tag = "abx-isolation-test", "latest"
	return repository + ":" + tag, client.Import(ctx, repository, tag, tree)
})

// library is a path in the output of ldd(1).
var library = regexp.MustCompile(`(/\S+) \(0x`)

func imageTree() (io.Reader, error) {
	files := map[string]string{} // in the image: on the host
	for _, name := range imagePrograms {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		files["bin/"+name] = path
		libraries, _ := exec.Command("ldd", path).Output()
		for _, m := range library.FindAllStringSubmatch(string(libraries), -1) {
			files[m[1][1:]] = m[1]
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			return nil, err
		}
		w.Write(content)
	}
	return &b, w.Close()
}

func dockerLauncher(t *testing.T) isolation.Launcher {
	t.Helper()
	image, err := testImage()
	if err != nil {
		t.Skipf("no Docker engine to test with: %v", err)
	}
	l, err := isolation.Choose(isolation.Docker, &isolation.Options{
		StateDir: filepath.Join(t.TempDir(), "state"), Image: image, AgentBinary: staticAgent(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := l.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

// staticAgent is this test binary built so that it runs in any image.
func staticAgent(t *testing.T) string {
	path, err := buildAgent()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildAgent = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "abx-agent-")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "agent.test")
	build := exec.Command("go", "test", "-c", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build agent: %w: %s", err, out)
	}
	return path, nil
})

func TestDockerRunsInAContainer(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{Limits: isolation.Limits{Memory: 256 << 20, Processes: 100}})
	s.output("echo mine > note")
	if out := s.output("cat note"); out != "mine\n" {
		t.Errorf("output %q", out)
	}
	status := s.output("cat /proc/self/status")
	if !strings.Contains(status, "NoNewPrivs:\t1") || !strings.Contains(status, "Seccomp:\t2") {
		t.Error("the container has no filter or may gain privileges")
	}
	if out := s.output("stat -c %u:%a /home/user /app /tmp"); out != "1000:755\n1000:755\n0:1777\n" {
		t.Errorf("owners and modes %q", out)
	}
	if r := s.run("cat /proc/$PPID/environ"); r.Exit == 0 && r.Stdout != "" {
		t.Errorf("the agent's environment can be read")
	}
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stats.Processes < 1 || stats.MemoryBytes == 0 || stats.MemoryLimit != 256<<20 {
		t.Errorf("stats %+v", stats)
	}
}

func TestDockerForkBombStaysInside(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{Limits: isolation.Limits{Processes: 64}})
	if lines := strings.Fields(s.try("fork 1000")); len(lines) != 2 || lines[1] != "EAGAIN" {
		t.Errorf("forking gave %v, want a count and EAGAIN", lines)
	}
}

func TestDockerKillLeavesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{})
	tag := uniqueSeconds()
	s.run("setsid sleep " + tag + " >/dev/null 2>&1 & sleep " + tag + " >/dev/null 2>&1 & mkdir x; chmod 000 x")
	if found := processesWith(t, tag); found != 2 {
		t.Fatalf("%d processes run, want 2", found)
	}
	killed(t, s)
	if found := processesWith(t, tag); found != 0 {
		t.Errorf("%d processes outlived the sandbox", found)
	}
	if _, err := s.Dial(t.Context()); !errors.Is(err, isolation.ErrEnded) {
		t.Errorf("Dial after Kill: %v, want ErrEnded", err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("Wait after Kill: %v", err)
	}
}

func TestDockerAgentsEndIsNoticed(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{})
	s.run("(sleep 0.1; kill -9 $PPID) >/dev/null 2>&1 &")
	if err := s.Wait(); err == nil {
		t.Error("Wait does not say that the sandbox ended by itself")
	}
}

func TestDockerPauseAndResume(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{})
	if err := s.Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Dial(t.Context()); !errors.Is(err, isolation.ErrPaused) {
		t.Errorf("Dial while paused: %v, want ErrPaused", err)
	}
	if err := s.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.output("echo alive")
}

func TestDockerNetwork(t *testing.T) {
	t.Parallel()
	s := start(t, dockerLauncher(t), &isolation.Spec{Internet: &egress.Policy{}})
	if got := s.try("connect tcp 8.8.8.8:53"); got != "ENETUNREACH" {
		t.Errorf("the internet without the proxy: %s, want ENETUNREACH", got)
	}
	for range 3 { // the way out takes one connection after another
		if got := s.try("proxy-get http://127.0.0.1:1/"); got != "403" {
			t.Errorf("a loopback address through the proxy: %s, want 403", got)
		}
	}
}

func init() {
	tools["proxy-get"] = func(args []string) error {
		resp, err := (&http.Client{Transport: &http.Transport{Proxy: proxyOf}}).Get(args[0])
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		return errors.New(strings.Fields(resp.Status)[0])
	}
}

func TestDockerSweepsContainersOfDeadServers(t *testing.T) {
	t.Parallel()
	image, err := testImage()
	if err != nil {
		t.Skipf("no Docker engine to test with: %v", err)
	}
	client, err := engine.New("")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	host, _ := os.Hostname()
	id, err := client.Create(t.Context(), "abx-orphan-"+rand8(), &engine.Config{
		Image: image, Cmd: []string{"/bin/sleep", "1000"},
		Labels: map[string]string{"abx.host": host, "abx.store": "/nonexistent/" + rand8()},
	})
	if err != nil {
		t.Fatal(err)
	}
	dockerLauncher(t)
	if _, err := client.State(t.Context(), id); !engine.IsNotFound(err) {
		t.Errorf("the container of a dead server is still there: %v", err)
	}
}
