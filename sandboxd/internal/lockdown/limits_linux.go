package lockdown

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Limits are the resource limits of every process of a sandbox.
type Limits struct {
	Processes uint64 // processes and threads of the sandbox together
	OpenFiles uint64 // per process
	FileSize  uint64 // bytes of one file; 0: no limit
	Data      uint64 // bytes of private memory per process; 0: no limit
}

// lockedMemory is what a process may keep from being swapped out.
const lockedMemory = 8 << 20

// Apply sets the limits, soft and hard, for this process.
func (l *Limits) Apply() error {
	for _, r := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"processes", unix.RLIMIT_NPROC, l.Processes},
		{"open files", unix.RLIMIT_NOFILE, l.OpenFiles},
		{"file size", unix.RLIMIT_FSIZE, orInfinity(l.FileSize)},
		{"data", unix.RLIMIT_DATA, orInfinity(l.Data)},
		{"core", unix.RLIMIT_CORE, 0},
		{"locked memory", unix.RLIMIT_MEMLOCK, lockedMemory},
	} {
		if err := lower(r.resource, r.value); err != nil {
			return fmt.Errorf("limit %s: %w", r.name, err)
		}
	}
	return nil
}

func orInfinity(value uint64) uint64 {
	if value == 0 {
		return unix.RLIM_INFINITY
	}
	return value
}

// lower sets the limit, but not above what is in force already: an ordinary
// user could not, and whoever set that meant it.
func lower(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value})
}

// KillFirst makes the kernel choose this process, and what it starts, when
// memory runs out on the machine.
func KillFirst() error {
	return os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
}
