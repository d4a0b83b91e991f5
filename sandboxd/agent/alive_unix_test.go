//go:build unix

package agent_test

import "syscall"

// alive tells whether a pid belongs to a process, if only to one not reaped.
func alive(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == nil }
