package isolation

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lockdown"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// ownOffspring keeps whatever this process starts below it, and marked, even
// when the processes in between end.
func ownOffspring(owner proctree.Mark) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	return proctree.OwnSelf(owner)
}

// shield protects the agent from the programs that it runs: they have the same
// user and could trace it otherwise.
func shield() error { return lockdown.Undumpable() }
