package harness

import (
	"os/exec"
	"sync"
)

// testMark is in the environment of every process that a test starts itself.
const testMark = "ABX_STARTED_BY_TEST"

// starting is held for reading while a process is started: until it has become
// its program, its environment is that of the test.
var starting sync.RWMutex

// Start starts a process of the test itself. Every process is to be started by
// it or Run: one that is not would be taken for a leftover.
func Start(cmd *exec.Cmd) error {
	mark(cmd)
	starting.RLock()
	defer starting.RUnlock()
	return cmd.Start()
}

// Run starts a process as Start does and waits for its end.
func Run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

func mark(cmd *exec.Cmd) { cmd.Env = append(cmd.Environ(), testMark+"=1") }
