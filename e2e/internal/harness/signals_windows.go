package harness

import "syscall"

// Windows cannot stop a process; sending these is an error.
const (
	stopSignal     = syscall.Signal(0x13)
	continueSignal = syscall.Signal(0x12)
)
