package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// closeDeadline bounds the destruction of a session's sandboxes.
const closeDeadline = 10 * time.Second

// Close destroys every sandbox that the session created, all at once, within
// ctx and 10 seconds. It reports those that could not be destroyed. Later calls
// have nothing left to do.
func (m *SandboxManager) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeDeadline)
	defer cancel()
	m.mu.Lock()
	m.closed, m.def = true, nil
	m.mu.Unlock()
	m.creators.Wait()
	return m.destroy(ctx, m.takeOwned())
}

// takeOwned empties the manager and returns the sandboxes to destroy.
func (m *SandboxManager) takeOwned() []*Box {
	m.mu.Lock()
	defer m.mu.Unlock()
	var owned []*Box
	for id, box := range m.boxes {
		if box.owned && !box.ended {
			owned = append(owned, box)
		}
		delete(m.boxes, id)
	}
	return owned
}

func (m *SandboxManager) destroy(ctx context.Context, boxes []*Box) error {
	var wg sync.WaitGroup
	failures := make([]error, len(boxes))
	for i, box := range boxes {
		wg.Go(func() {
			if err := m.backend.Kill(ctx, box.ID()); err != nil && !isGone(err) {
				failures[i] = fmt.Errorf("destroy sandbox %s: %w", box.ID(), err)
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}
