package lockdown

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Filtered reports whether this architecture has a filter.
func Filtered() bool { return len(filter) > 0 }

// Filter denies this thread, for good, the system calls that lead out of a
// sandbox. It needs no_new_privs.
func Filter() error {
	if !Filtered() {
		return errors.New("no system call filter for " + runtime.GOARCH)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("install system call filter: %w", errno)
	}
	return nil
}
