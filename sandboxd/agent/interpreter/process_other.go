//go:build !unix

package interpreter

import (
	"os"
	"syscall"
)

// Kernels inherit descriptors, which only Unix systems have; a process started
// elsewhere would fail at that before any of these matters.

func heedInterrupt() {}

func groupLeader(base *syscall.SysProcAttr) *syscall.SysProcAttr { return base }

func signalGroup(leader *os.Process, _ syscall.Signal) { _ = leader.Kill() }

func (k *kernel) read() {
	<-k.exited
	k.deliver(item{died: true})
	close(k.finished)
	_ = k.pipes.close()
}
