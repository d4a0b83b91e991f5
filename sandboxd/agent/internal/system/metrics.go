package system

import (
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/rest"
)

const mebi = 1 << 20

// figures is the answer of GET /metrics: bytes, and percent of one second of
// all processors together.
type figures struct {
	TS         int64   `json:"ts"`
	CPUCount   int     `json:"cpu_count"`
	CPUUsedPct float64 `json:"cpu_used_pct"`
	MemTotMiB  uint64  `json:"mem_total_mib"`
	MemUsedMiB uint64  `json:"mem_used_mib"`
	MemTotal   uint64  `json:"mem_total"`
	MemUsed    uint64  `json:"mem_used"`
	MemCache   uint64  `json:"mem_cache"`
	DiskUsed   uint64  `json:"disk_used"`
	DiskTotal  uint64  `json:"disk_total"`
}

// ticks is a reading of the processor clock.
type ticks struct{ busy, total uint64 }

// Metrics answers with the load of the machine as the sandbox sees it, and
// with the file system that holds home.
type Metrics struct {
	home string

	mu   sync.Mutex
	last ticks
}

// NewMetrics makes the handler.
func NewMetrics(home string) *Metrics { return &Metrics{home: home} }

// ServeHTTP implements http.Handler.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) { rest.JSON(w, m.read()) }

func (m *Metrics) read() figures {
	mem := readMemory()
	used, total := readDisk(m.home)
	return figures{
		TS:       time.Now().Unix(),
		CPUCount: runtime.NumCPU(), CPUUsedPct: m.load(readTicks()),
		MemTotal: mem.total, MemUsed: mem.used, MemCache: mem.cache,
		MemTotMiB: mem.total / mebi, MemUsedMiB: mem.used / mebi,
		DiskUsed: used, DiskTotal: total,
	}
}

// load is the share of busy ticks since the last call, since the start of the
// machine at the first.
func (m *Metrics) load(now ticks) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	busy, total := now.busy-m.last.busy, now.total-m.last.total
	if now.total <= m.last.total || busy > total {
		return 0
	}
	m.last = now
	return 100 * float64(busy) / float64(total)
}

type memory struct{ total, used, cache uint64 }
