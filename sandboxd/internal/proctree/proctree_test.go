package proctree_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// escape starts three sleepers that left the tree: by a new session, by a
// double fork, and by a double fork with an empty environment.
const escape = `
setsid sleep 1000 &
(setsid sh -c 'sleep 1001 & exit' &)
(env -i setsid sh -c 'exec >/dev/null 2>&1 </dev/null; sleep 1002 & exit' &)
echo ready; sleep 1003`

func startMarked(t *testing.T, script string) (*exec.Cmd, proctree.Mark) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("marks exist on Linux only")
	}
	cmd := exec.Command("sh", "-c", script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	mark, err := proctree.Start(cmd.Start)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	return cmd, mark
}

func TestKillFindsEverythingThatEscaped(t *testing.T) {
	t.Parallel()
	cmd, mark := startMarked(t, escape)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	awaitCount(t, mark.Processes, 5)
	if err := proctree.Kill(ctx, mark.Processes); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	awaitCount(t, mark.Processes, 0)
}

func awaitCount(t *testing.T, sel proctree.Selector, want int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		found, err := sel()
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d processes, want %d: %+v", len(found), want, found)
		}
		runtime.Gosched()
	}
}

func TestKillEndsAProcessThatKeepsForking(t *testing.T) {
	t.Parallel()
	cmd, mark := startMarked(t, `echo ready; while :; do (setsid sh -c 'sleep 5 & sleep 5 & exit' &) ; sleep 0.01; done`)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := proctree.Kill(ctx, mark.Processes); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	awaitCount(t, mark.Processes, 0)
}

func TestStopAndResume(t *testing.T) {
	t.Parallel()
	cmd, mark := startMarked(t, `sleep 1000 & stopped=$!; kill -STOP $stopped; sleep 1001 & echo ready; while :; do :; done`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	frozen, err := proctree.Stop(ctx, mark.Processes)
	if err != nil {
		t.Fatal(err)
	}
	awaitCount(t, stateIs(mark, (*proctree.Process).Stopped), 3)
	frozen.Resume()
	awaitCount(t, stateIs(mark, (*proctree.Process).Stopped), 1)
	if err := proctree.Kill(ctx, mark.Processes); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
}

func stateIs(mark proctree.Mark, want func(*proctree.Process) bool) proctree.Selector {
	return func() ([]proctree.Process, error) {
		all, err := mark.Processes()
		var some []proctree.Process
		for _, p := range all {
			if want(&p) {
				some = append(some, p)
			}
		}
		return some, err
	}
}

func TestTreeIsWhatDescends(t *testing.T) {
	t.Parallel()
	cmd, mark := startMarked(t, `sleep 1000 & echo ready; wait`)
	awaitCount(t, proctree.Tree(cmd.Process.Pid), 1)
	awaitCount(t, proctree.Union(proctree.Tree(cmd.Process.Pid), mark.Processes), 2)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := proctree.Kill(ctx, proctree.Union(proctree.Tree(cmd.Process.Pid), mark.Processes)); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
}

func TestStartLeavesThisProcessUnmarked(t *testing.T) {
	t.Parallel()
	cmd, mark := startMarked(t, `echo ready`)
	cmd.Wait()
	found, err := mark.Processes()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		if p.PID == os.Getpid() {
			t.Fatal("this process kept the mark")
		}
	}
}
