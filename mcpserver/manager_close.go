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

// restLimit bounds the wait for work whose sandbox is gone: it ends by itself,
// within the time that a command may take to be killed.
const restLimit = time.Second

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
		return m.awaitCreations(ctx)
	}
	err := m.destroyAll(ctx)
	if late := m.awaitCreations(ctx); late != nil {
		return errors.Join(err, late)
	}
	err = errors.Join(err, m.destroyAll(ctx))
	endsWithin(ctx, &m.background, restLimit)
	return err
}

// awaitCreations waits for creations on their way. At the deadline it gives
// them up; what they made then ends at its own timeout.
func (m *SandboxManager) awaitCreations(ctx context.Context) error {
	defer m.giveUp(errSessionClosed)
	if !endsWithin(ctx, &m.creations, closeDeadline) {
		return errors.New("a sandbox was still being created; if it came to be, it ends at its timeout")
	}
	return nil
}

// endsWithin waits for all of wg, until ctx ends or the limit is reached, and says
// whether it did.
func endsWithin(ctx context.Context, wg *sync.WaitGroup, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return await(ctx, wg)
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
