//go:build unix

package interpreter

import (
	"os"
	"syscall"
)

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
