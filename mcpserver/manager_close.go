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
// ctx and 10 seconds. It reports those that could not be destroyed. Sandboxes
// in the making are waited for. Later calls have nothing left to do. Those of a
// shared session are left to the processes that share it.
func (m *SandboxManager) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeDeadline)
	defer cancel()
	m.mu.Lock()
	m.closed, m.def = true, nil
	m.mu.Unlock()
	if m.shared {
		return m.awaitBackground(ctx)
	}
	err := m.destroyAll(ctx)
	if late := m.awaitBackground(ctx); late != nil {
		return errors.Join(err, late)
	}
	return errors.Join(err, m.destroyAll(ctx))
}

// awaitBackground waits for creations on their way. At the deadline it gives
// them up; what they made then ends at its own timeout.
func (m *SandboxManager) awaitBackground(ctx context.Context) error {
	defer m.giveUp(errSessionClosed)
	done := make(chan struct{})
	go func() {
		m.background.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.New("a sandbox was still being created; if it came to be, it ends at its timeout")
	}
}

func (m *SandboxManager) destroyAll(ctx context.Context) error {
	var wg sync.WaitGroup
	boxes := m.takeOwned()
	failures := make([]error, len(boxes))
	for i, box := range boxes {
		wg.Go(func() {
			if err := m.kill(ctx, box.ID()); err != nil && !isGone(err) {
				failures[i] = fmt.Errorf("destroy sandbox %s: %w", box.ID(), err)
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}

// takeOwned marks the live sandboxes of the session as ended and returns them.
func (m *SandboxManager) takeOwned() []*Box {
	m.mu.Lock()
	defer m.mu.Unlock()
	var owned []*Box
	for _, box := range m.boxes {
		if box.owned && box.ended.CompareAndSwap(false, true) {
			owned = append(owned, box)
			m.alive--
		}
	}
	return owned
}
