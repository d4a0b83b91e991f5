package proctree_test

import (
	"os/exec"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// The ways to start a command whose offspring can be found again, beside
// plainly starting it. A shim is a process of this executable in between, as
// /proc/self/exe here, which costs a Go start and lives as long as the command.

func BenchmarkStartPlain(b *testing.B) {
	benchmarkTrue(b, func(cmd *exec.Cmd) error { return cmd.Start() })
}

func BenchmarkStartMarked(b *testing.B) {
	benchmarkTrue(b, func(cmd *exec.Cmd) error {
		_, err := proctree.Start(cmd.Start)
		return err
	})
}

func BenchmarkStartWithShim(b *testing.B) {
	benchmarkTrue(b, func(cmd *exec.Cmd) error {
		cmd.Path, cmd.Args = "/proc/self/exe", []string{shimName, "/bin/true"}
		return cmd.Start()
	})
}

func benchmarkTrue(b *testing.B, start func(*exec.Cmd) error) {
	for b.Loop() {
		cmd := exec.Command("/bin/true")
		if err := start(cmd); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindMarked is one look for the offspring of a command.
func BenchmarkFindMarked(b *testing.B) {
	cmd := exec.Command("/bin/sleep", "1000")
	mark, err := proctree.Start(cmd.Start)
	if err != nil {
		b.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for b.Loop() {
		if found, err := mark.Processes(); err != nil || len(found) != 1 {
			b.Fatalf("found %v, %v", found, err)
		}
	}
}
