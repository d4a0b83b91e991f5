package isolation

import (
	"os"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/proctree"
)

// clockTick is the unit of CPU times in /proc: USER_HZ is 100 on every
// architecture that Go runs on.
const clockTick = 10 * time.Millisecond

// sum adds up the processes of a sandbox.
func sum(processes []proctree.Process) Stats {
	s := Stats{At: time.Now(), Processes: len(processes)}
	for _, p := range processes {
		s.CPUTime += time.Duration(p.CPUTicks) * clockTick
		s.MemoryBytes += int64(p.ResidentPages) * int64(os.Getpagesize())
	}
	return s
}
