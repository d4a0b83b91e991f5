package sandboxd

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/control"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

const (
	mebibyte = 1 << 20
	// reportedMemory and reportedDisk are what create reports where nothing
	// limits a sandbox: the size of the prebuilt templates of the hosted
	// services.
	reportedMemory = 2048 * mebibyte
	reportedDisk   = 10240 * mebibyte
	// memoryStorage is the size of a sandbox's files in memory.
	memoryStorage = 1024 * mebibyte
)

// shape is the size of a sandbox as the control plane reports it.
func (s *Server) shape() control.Shape {
	memory, disk := s.settings.MemoryBytes, int64(reportedDisk)
	if memory == 0 {
		memory = reportedMemory
	}
	if s.settings.Storage == "memory" {
		disk = memoryStorage
	}
	return control.Shape{
		CPUCount: int32(runtime.NumCPU()), MemoryMB: int32(memory / mebibyte), DiskSizeMB: int32(disk / mebibyte),
	}
}

// sample measures a sandbox for the control plane.
func (s *Server) sample(ctx context.Context, sandbox *lifecycle.Sandbox) (api.SandboxMetric, error) {
	stats, err := sandbox.Machine().(isolation.Sandbox).Stats(ctx)
	if err != nil {
		return api.SandboxMetric{}, err
	}
	now := s.settings.Clock.Now()
	shape := s.shape()
	return api.SandboxMetric{
		Timestamp: now.UTC(), TimestampUnix: now.Unix(),
		CPUCount: int32(stats.CPUs), CPUUsedPct: s.cpu.percent(sandbox.ID, stats.CPUTime, now.Sub(sandbox.Created)),
		MemUsed: stats.MemoryBytes, MemTotal: orElse(stats.MemoryLimit, int64(shape.MemoryMB)*mebibyte),
		DiskUsed: stats.StorageBytes, DiskTotal: orElse(stats.StorageLimit, int64(shape.DiskSizeMB)*mebibyte),
	}, nil
}

func orElse(n, other int64) int64 {
	if n > 0 {
		return n
	}
	return other
}

// cpuMeter turns used time into use per time: the share since the last look,
// 100 for one CPU in full use.
type cpuMeter struct {
	mu   sync.Mutex
	last map[string]reading
}

type reading struct{ used, age time.Duration }

func (m *cpuMeter) percent(id string, used, age time.Duration) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = make(map[string]reading)
	}
	before := m.last[id]
	m.last[id] = reading{used: used, age: age}
	if age <= before.age || used < before.used {
		return 0
	}
	return 100 * float64(used-before.used) / float64(age-before.age)
}

func (m *cpuMeter) forget(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.last, id)
}

// networker is a sandbox whose reach can be changed while it runs.
type networker interface {
	SetInternet(policy *egress.Policy) error
}

// setNetwork makes new rules effective. Where the isolation cannot change
// them, they would only seem to hold, so that is an error.
func (s *Server) setNetwork(sandbox *lifecycle.Sandbox, n *lifecycle.Network) error {
	if machine, ok := sandbox.Machine().(networker); ok {
		return machine.SetInternet(s.policy(n))
	}
	return &control.NotOffered{What: "changing the network rules of a running sandbox with isolation " + s.launcher.Name()}
}
