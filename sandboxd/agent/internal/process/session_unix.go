//go:build unix

package process

import "syscall"

// ownSession makes the process the leader of a session. With a terminal,
// descriptor 0 becomes the controlling one.
func ownSession(attr *syscall.SysProcAttr, tty bool) { attr.Setsid, attr.Setctty = true, tty }
