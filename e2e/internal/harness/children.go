package harness

import (
	"os/exec"
	"sync"
)

// starting is held for reading while a process is started and written down, so
// that the search for leftovers never takes one of ours for one.
var starting sync.RWMutex

// Start starts a process of the test itself. Every process is to be started by
// it or Run: one that is not would be taken for a leftover.
func Start(cmd *exec.Cmd) error {
	starting.RLock()
	defer starting.RUnlock()
	err := cmd.Start()
	if err == nil {
		started.Store(cmd.Process.Pid, true)
	}
	return err
}

// Run starts a process as Start does and waits for its end.
func Run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}
