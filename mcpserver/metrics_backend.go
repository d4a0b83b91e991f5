package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// meteredBackend counts the sandboxes that come and go through it.
type meteredBackend struct {
	backend
	metrics *metrics

	mu    sync.Mutex
	alive map[string]bool
}

func newMeteredBackend(b backend, m *metrics) *meteredBackend {
	return &meteredBackend{backend: b, metrics: m, alive: map[string]bool{}}
}

func (b *meteredBackend) create(ctx context.Context, opts *sandboxclient.CreateOptions) (machine, error) {
	made, err := b.backend.create(ctx, opts)
	if err == nil {
		b.mu.Lock()
		b.alive[made.ID()] = true
		b.mu.Unlock()
		b.metrics.created.Inc()
		b.metrics.alive.Inc()
	}
	return made, err
}

func (b *meteredBackend) setTimeout(ctx context.Context, id string, life time.Duration) error {
	err := b.backend.setTimeout(ctx, id, life)
	if isGone(err) {
		b.ended(id, b.metrics.lost.Inc)
	}
	return err
}

func (b *meteredBackend) kill(ctx context.Context, id string) error {
	err := b.backend.kill(ctx, id)
	switch {
	case err == nil:
		b.ended(id, b.metrics.destroyed.Inc)
	case isGone(err):
		b.ended(id, b.metrics.lost.Inc)
	}
	return err
}

// ended counts the end of a sandbox of this server once.
func (b *meteredBackend) ended(id string, count func()) {
	b.mu.Lock()
	known := b.alive[id]
	delete(b.alive, id)
	b.mu.Unlock()
	if known {
		count()
		b.metrics.alive.Dec()
	}
}
