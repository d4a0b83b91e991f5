//go:build unix && !linux

package mcpserver

import "syscall"

// processStart cannot tell the time here without another program; zero means
// that the pid alone identifies the process.
func processStart(pid int) (started int64, ok bool) {
	err := syscall.Kill(pid, 0)
	return 0, err == nil || err == syscall.EPERM
}
