package isolation_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// stubborn starts processes that do what they can to outlive their sandbox.
const stubborn = `
setsid nohup sleep TAG >/dev/null 2>&1 &
(setsid env -i sh -c 'trap "" TERM HUP INT; sleep TAG & sleep TAG' >/dev/null 2>&1 &)
sleep TAG & kill -STOP $!
mkdir -p locked/in; chmod 000 locked`

func uniqueSeconds() string { return "1" + time.Now().Format("150405.000000000") }

func TestKillLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, storage := range []string{isolation.StorageMemory, isolation.StorageDisk} {
		t.Run(storage, func(t *testing.T) {
			t.Parallel()
			base := filepath.Join(stateBase(t), "state")
			l := probed(t, launcher(t, isolation.Namespace, base))
			s := start(t, l, &isolation.Spec{ID: "gone", Storage: storage})
			tag := uniqueSeconds()
			s.run(strings.ReplaceAll(stubborn, "TAG", tag))
			if found := processesWith(t, tag); found < 3 {
				t.Fatalf("%d processes run, want at least 3", found)
			}
			killed(t, s)
			if found := processesWith(t, tag); found != 0 {
				t.Errorf("%d processes outlived the sandbox", found)
			}
			if left, _ := filepath.Glob(filepath.Join(base, "*", "gone")); len(left) != 0 {
				t.Errorf("left on disk: %v", left)
			}
			if _, err := s.Dial(t.Context()); !errors.Is(err, isolation.ErrEnded) {
				t.Errorf("Dial after Kill: %v, want ErrEnded", err)
			}
			if err := s.Wait(); err != nil {
				t.Errorf("Wait after Kill: %v", err)
			}
			killed(t, s) // again: nothing to do
		})
	}
}

func killed(t *testing.T, s isolation.Sandbox) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Kill(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestAgentsEndEndsTheSandbox(t *testing.T) {
	t.Parallel()
	base := filepath.Join(stateBase(t), "state")
	s := start(t, probed(t, launcher(t, isolation.Namespace, base)), &isolation.Spec{ID: "crashed"})
	tag := uniqueSeconds()
	s.run("setsid sleep " + tag + " >/dev/null 2>&1 & (sleep 0.2; kill -9 $PPID) >/dev/null 2>&1 &")
	if err := s.Wait(); err == nil {
		t.Error("Wait does not say that the sandbox ended by itself")
	}
	if found := processesWith(t, tag); found != 0 {
		t.Errorf("%d processes outlived the agent", found)
	}
	if left, _ := filepath.Glob(filepath.Join(base, "*", "crashed")); len(left) != 0 {
		t.Errorf("left on disk: %v", left)
	}
}

// TestServerProcess is the body of a server that a test kills.
func TestServerProcess(t *testing.T) {
	name, base := os.Getenv("ABX_TEST_ISOLATION"), os.Getenv("ABX_TEST_STATE")
	if name == "" {
		t.Skip("part of TestKilledServerLeavesNothing")
	}
	l := launcher(t, name, base)
	for _, storage := range []string{isolation.StorageMemory, isolation.StorageDisk} {
		s := start(t, l, &isolation.Spec{Storage: storage})
		s.run(strings.ReplaceAll(stubborn, "TAG", os.Getenv("ABX_TEST_TAG")))
	}
	fmt.Println("ready")
	select {}
}

func TestKilledServerLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{isolation.Namespace, isolation.None} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := filepath.Join(stateBase(t), "state")
			probed(t, launcher(t, name, base))
			tag := uniqueSeconds()
			server := exec.Command(os.Args[0], "-test.run=^TestServerProcess$", "-test.v")
			server.Env = append(os.Environ(), "ABX_TEST_ISOLATION="+name, "ABX_TEST_STATE="+base, "ABX_TEST_TAG="+tag)
			awaitReady(t, server)
			if found := processesWith(t, tag); found < 6 {
				t.Errorf("%d processes run, want at least 6", found)
			}
			server.Process.Kill()
			server.Wait()
			await(t, "the sandboxes' processes are gone", func() bool { return processesWith(t, tag) == 0 })
			sweeper := launcher(t, name, base)
			defer sweeper.Close()
			if left, _ := filepath.Glob(filepath.Join(base, "*", "test-*")); len(left) != 0 {
				t.Errorf("the next server left %v", left)
			}
		})
	}
}

func awaitReady(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "ready" {
			return
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server ended")
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestSandboxOutlivesTheThreadThatStartedIt(t *testing.T) {
	t.Parallel()
	l := namespaceLauncher(t)
	var s *box
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and not unlocked: the thread ends here
		s = start(t, l, &isolation.Spec{})
	}()
	<-done
	runtime.GC()
	if out := s.output("echo alive"); out != "alive\n" {
		t.Errorf("output %q", out)
	}
}

func TestPauseFreezesAForkLoop(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	s.run("sleep 1000 >/dev/null 2>&1 & kill -STOP $!; echo $! > stopped; until grep -q '^State:.T' /proc/$!/status; do :; done; (while :; do /bin/true; done) >/dev/null 2>&1 & (while :; do (:) & wait; done) >/dev/null 2>&1 &")
	for range 3 {
		if err := s.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Dial(t.Context()); !errors.Is(err, isolation.ErrPaused) {
			t.Errorf("Dial while paused: %v, want ErrPaused", err)
		}
		before := cpu(t, s)
		time.Sleep(50 * time.Millisecond) // the time in which nothing may happen
		if after := cpu(t, s); after != before {
			t.Errorf("CPU time went from %v to %v while paused", before, after)
		}
		if err := s.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		if state := strings.TrimSpace(s.output("cut -d' ' -f3 /proc/$(cat stopped)/stat")); state != "T" {
			t.Errorf("a job that was stopped before is now in state %s", state)
		}
	}
	if err := s.Pause(t.Context()); err != nil {
		t.Fatal(err)
	}
	killed(t, s)
}

func TestManyStartsAtOnce(t *testing.T) {
	t.Parallel()
	l := namespaceLauncher(t)
	start(t, l, &isolation.Spec{}).output("true") // what is made once is made
	before := descriptors(t)
	errs := make(chan error, 100)
	for i := range cap(errs) {
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			s, err := l.Start(ctx, &isolation.Spec{ID: "many-" + strconv.Itoa(i)})
			if err == nil {
				_, err = http204(ctx, s)
				err = errors.Join(err, s.Kill(ctx))
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if after := descriptors(t); after > before+50 { // other tests run beside this one
		t.Errorf("descriptors went from %d to %d", before, after)
	}
}

func http204(ctx context.Context, s isolation.Sandbox) (int, error) {
	conn, err := s.Dial(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /place HTTP/1.0\r\n\r\n")
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, "200") {
		return 0, fmt.Errorf("answer %q: %w", line, err)
	}
	return 200, nil
}

func descriptors(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

func TestCommandTreeInsideASandbox(t *testing.T) {
	t.Parallel()
	s := start(t, namespaceLauncher(t), &isolation.Spec{})
	tag := uniqueSeconds()
	server := strings.TrimSpace(s.output("sleep 1000 >/dev/null 2>&1 & echo $!"))
	if out := s.try("tree " + tag); out != "ok" {
		t.Errorf("killing a command's tree: %s", out)
	}
	if found := processesWith(t, tag); found != 0 {
		t.Errorf("%d processes of the command are left", found)
	}
	s.output("kill -0 " + server)
}

func init() {
	tools["tree"] = func(args []string) error {
		cmd := exec.Command("/bin/sh", "-c", strings.ReplaceAll(stubborn, "TAG", args[0])+"; sleep "+args[0])
		cmd.Dir = "/tmp"
		mark, err := proctree.Start(cmd.Start)
		if err != nil {
			return err
		}
		for found := 0; found < 6; {
			marked, err := mark.Processes()
			if err != nil {
				return err
			}
			found = len(marked)
		}
		if err := proctree.Kill(context.Background(), mark.Processes); err != nil {
			return err
		}
		cmd.Wait()
		return nil
	}
}
