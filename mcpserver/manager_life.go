package mcpserver

import (
	"context"
	"fmt"
	"time"
)

// lifeMargin is what a sandbox outlives the timeout of a call by at least.
const lifeMargin = 30 * time.Second

// extension is a life extension on its way beside a call.
type extension struct {
	done chan struct{}
	err  error
}

// extend moves the end of a sandbox to its life from now, or further when the
// call may take longer, and never to an earlier time. It does not wait.
func (m *SandboxManager) extend(box *Box, need time.Duration) *extension {
	x := &extension{done: make(chan struct{})}
	started := m.spawn(func() {
		defer close(x.done)
		x.err = m.moveEnd(box, max(box.Life, need+lifeMargin))
	})
	if !started {
		close(x.done)
	}
	return x
}

// spawn starts background work that Close waits for, unless the session has
// ended.
func (m *SandboxManager) spawn(work func()) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.background.Go(work)
	}
	return !m.closed
}

func (m *SandboxManager) moveEnd(box *Box, life time.Duration) error {
	box.extending.Lock()
	defer box.extending.Unlock()
	now := m.now()
	if now.Add(life).Sub(box.end) < time.Second {
		return nil // the backend counts in whole seconds
	}
	ctx, cancel := context.WithTimeout(m.ctx, controlDeadline)
	defer cancel()
	if err := m.renew(ctx, box, life); err != nil {
		return err
	}
	box.end = now.Add(life)
	return nil
}

// renew uses connect for sandboxes that came from elsewhere: their end may lie
// further ahead than we know, and connect never shortens a life.
func (m *SandboxManager) renew(ctx context.Context, box *Box, life time.Duration) error {
	if box.owned {
		return m.backend.setTimeout(ctx, box.ID(), life)
	}
	_, err := m.backend.connect(ctx, box.ID(), life)
	return err
}

// note tells of an extension that failed by now; one still on its way is not
// waited for.
func (x *extension) note() []string {
	select {
	case <-x.done:
		if x.err != nil && !isGone(x.err) {
			return []string{"The life of the sandbox could not be extended: " + x.err.Error()}
		}
	default:
	}
	return nil
}

// gone tells whether the extension found that the sandbox does not exist. It
// waits for the answer, shortly: the call has failed already.
func (x *extension) gone(ctx context.Context) bool {
	timer := time.NewTimer(2 * time.Second)
	defer timer.Stop()
	select {
	case <-x.done:
		return isGone(x.err)
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// wake resumes a sandbox that was paused at the end of its life.
func (m *SandboxManager) wake(ctx context.Context, box *Box) (notes []string, err error) {
	if !m.life.Pause {
		return nil, nil
	}
	box.extending.Lock()
	defer box.extending.Unlock()
	if m.now().Before(box.end) {
		return nil, nil
	}
	if err := m.resumeLocked(ctx, box); err != nil {
		if isGone(err) {
			return nil, m.lost(box)
		}
		return nil, fmt.Errorf("resume sandbox %s: %w", box.Handle, because(ctx, err))
	}
	return []string{"The sandbox had been idle and was paused; it has been resumed with its files. Programs that held network connections may have to reconnect."}, nil
}

func (m *SandboxManager) resume(ctx context.Context, box *Box) error {
	box.extending.Lock()
	defer box.extending.Unlock()
	return m.resumeLocked(ctx, box)
}

func (m *SandboxManager) resumeLocked(ctx context.Context, box *Box) error {
	ctx, cancel := context.WithTimeout(ctx, controlDeadline)
	defer cancel()
	now := m.now()
	_, err := m.backend.connect(ctx, box.ID(), box.Life)
	if err == nil {
		box.end = now.Add(box.Life)
	}
	return err
}
