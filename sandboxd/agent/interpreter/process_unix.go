//go:build unix

package interpreter

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// heedInterrupt makes sure that kernels start with SIGINT at its default. A
// process that was started with the signal ignored, as shells do in the
// background, hands that on to its children, and bash cannot undo it. To catch
// the signal and drop it is the same as to ignore it, and is not handed on.
var heedInterrupt = sync.OnceFunc(func() {
	if signal.Ignored(syscall.SIGINT) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	}
})

// groupLeader returns attributes for a process that leads a group of its own.
func groupLeader(base *syscall.SysProcAttr) *syscall.SysProcAttr {
	attributes := syscall.SysProcAttr{}
	if base != nil {
		attributes = *base
	}
	attributes.Setpgid = true
	return &attributes
}

func signalGroup(leader *os.Process, signal syscall.Signal) {
	_ = syscall.Kill(-leader.Pid, signal) // a group that is gone needs no signal
}
