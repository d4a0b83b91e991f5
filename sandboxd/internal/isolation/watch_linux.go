package isolation

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// watchInterval is how often the memory of a limited sandbox is added up. A
// limit per process is in force at once; this one, over all of them, is only
// as quick as the look.
const watchInterval = 500 * time.Millisecond

// watchMemory ends the sandbox when its processes and its files in memory
// together exceed the limit. It runs until exited is closed.
func (s *nsSandbox) watchMemory(exited <-chan struct{}) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-exited:
			return
		case <-ticker.C:
		}
		if used := s.memory(); used > s.limits.Memory {
			s.end(fmt.Errorf("sandbox ended: it used %d MiB of memory, its limit is %d MiB", used>>20, s.limits.Memory>>20))
			return
		}
	}
}

// memory is what the sandbox occupies. Resident sizes count shared pages for
// each process, so the exact sum is asked for only when they exceed the limit.
func (s *nsSandbox) memory() int64 {
	found, err := s.all()
	if err != nil {
		return 0
	}
	stats := sum(found)
	if s.spec.Storage != StorageDisk {
		s.measureStorage(&stats) //nolint:errcheck // the file system lives as long as its descriptor
	}
	if stats.MemoryBytes+stats.StorageBytes > s.limits.Memory {
		stats.MemoryBytes = proportional(found)
	}
	return stats.MemoryBytes + stats.StorageBytes
}

// proportional adds up the processes' memory with each shared page divided
// among those who share it.
func proportional(processes []proctree.Process) int64 {
	var total int64
	for _, p := range processes {
		rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.PID))
		if err != nil {
			continue // it has just ended
		}
		total += parsePSS(rollup)
	}
	return total
}

// parsePSS reads the line "Pss:  <n> kB".
func parsePSS(rollup []byte) int64 {
	_, rest, _ := bytes.Cut(rollup, []byte("\nPss:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, _ := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	return kib << 10
}

// end kills the sandbox for a reason that Wait tells.
func (s *nsSandbox) end(reason error) {
	s.mu.Lock()
	if s.reason == nil && !s.killed {
		s.reason = reason
	}
	s.mu.Unlock()
	s.cmd.Process.Kill() //nolint:errcheck // already ended is what is wanted
}
