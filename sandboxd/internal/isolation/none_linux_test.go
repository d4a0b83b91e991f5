package isolation_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

func launcher(t *testing.T, name, stateDir string) isolation.Launcher {
	t.Helper()
	l, err := isolation.Choose(name, &isolation.Options{StateDir: stateDir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestNoneRunsInAPrivateHome(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "state")
	l := launcher(t, isolation.None, base)
	a, b := start(t, l, &isolation.Spec{}), start(t, l, &isolation.Spec{})
	a.output("echo mine > note")
	if out := b.output("ls"); out != "" {
		t.Errorf("the second sandbox sees %q", out)
	}
	if home := strings.TrimSpace(a.output("pwd")); !strings.HasPrefix(home, base) {
		t.Errorf("home %s is not below %s", home, base)
	}
}

func TestNoneInheritsNoSecrets(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "do-not-show")
	l := launcher(t, isolation.None, filepath.Join(t.TempDir(), "state"))
	s := start(t, l, &isolation.Spec{})
	if out := s.output("cat /proc/$PPID/environ 2>/dev/null; env"); strings.Contains(out, "do-not-show") {
		t.Error("the environment of the server reached the sandbox")
	}
}

func TestNoneKillLeavesNothing(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "state")
	l := launcher(t, isolation.None, base)
	s := start(t, l, &isolation.Spec{ID: "gone"})
	tag := "1" + time.Now().Format("150405.000000000")
	s.run("(setsid env -i nohup sleep " + tag + " >/dev/null 2>&1 &); mkdir -p a/b; chmod 000 a")
	if found := processesWith(t, tag); found == 0 {
		t.Fatal("the grandchild does not run")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Kill(ctx); err != nil {
		t.Fatal(err)
	}
	if found := processesWith(t, tag); found != 0 {
		t.Errorf("%d processes outlived the sandbox", found)
	}
	if left, _ := filepath.Glob(filepath.Join(base, "*", "gone")); len(left) != 0 {
		t.Errorf("left on disk: %v", left)
	}
	if _, err := s.Dial(ctx); !errors.Is(err, isolation.ErrEnded) {
		t.Errorf("Dial after Kill: %v, want ErrEnded", err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("Wait after Kill: %v", err)
	}
}

// processesWith counts the processes that have the word as an argument.
func processesWith(t *testing.T, word string) int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, f := range files {
		line, _ := os.ReadFile(f)
		for arg := range strings.SplitSeq(string(line), "\x00") {
			if arg == word {
				count++
				break
			}
		}
	}
	return count
}

func TestNonePauseAndResume(t *testing.T) {
	t.Parallel()
	l := launcher(t, isolation.None, filepath.Join(t.TempDir(), "state"))
	s := start(t, l, &isolation.Spec{})
	s.run("(while :; do :; done) >/dev/null 2>&1 &")
	if err := s.Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Dial(t.Context()); !errors.Is(err, isolation.ErrPaused) {
		t.Errorf("Dial while paused: %v, want ErrPaused", err)
	}
	before, after := cpu(t, s), cpu(t, s)
	if before != after {
		t.Errorf("CPU time went from %v to %v while paused", before, after)
	}
	if err := s.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); cpu(t, s) == after; {
		if time.Now().After(deadline) {
			t.Fatal("nothing ran after Resume")
		}
	}
}

func cpu(t *testing.T, s isolation.Sandbox) time.Duration {
	t.Helper()
	stats, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stats.CPUTime
}
