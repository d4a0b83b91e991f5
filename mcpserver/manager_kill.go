package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Killed is what kill_sandbox tells.
type Killed struct {
	Handle      string
	AlreadyGone bool
}

// Kill destroys a sandbox; "" is the default sandbox. Nothing is made or
// attached to be killed. A sandbox that has ended in this session is no error.
func (m *SandboxManager) Kill(ctx context.Context, handle string) (Killed, error) {
	if handle == "" {
		return m.killDefault(ctx)
	}
	id, ok := m.handles.Open(handle)
	if !ok || !sandboxID().MatchString(id) {
		return Killed{}, errUnknownSandbox(handle)
	}
	m.mu.Lock()
	box := m.boxes[id]
	m.mu.Unlock()
	if box != nil {
		return m.killBox(ctx, box)
	}
	return m.killForeign(ctx, id, handle)
}

func (m *SandboxManager) killDefault(ctx context.Context) (Killed, error) {
	if m.shared {
		return m.killSharedDefault(ctx)
	}
	def := m.lastDefault()
	if def == nil {
		return Killed{}, errNoDefault()
	}
	box, err := def.wait(ctx)
	switch {
	case ctx.Err() != nil:
		return Killed{}, endOf(ctx)
	case err != nil:
		return Killed{}, errNoDefault()
	}
	return m.killBox(ctx, box)
}

func errNoDefault() *ToolError {
	return toolErrorf(CodeNoDefaultSandbox, "There is no default sandbox to destroy.")
}

func (m *SandboxManager) killBox(ctx context.Context, box *Box) (Killed, error) {
	if box.ended.Load() {
		m.forget(box)
		return Killed{Handle: box.Handle, AlreadyGone: true}, nil
	}
	err := m.kill(ctx, box.ID())
	if err != nil && !isGone(err) {
		return Killed{}, fmt.Errorf("destroy sandbox %s: %w", box.Handle, err)
	}
	m.forget(box)
	return Killed{Handle: box.Handle, AlreadyGone: err != nil}, nil
}

// killForeign destroys a sandbox that this session has not used yet.
func (m *SandboxManager) killForeign(ctx context.Context, id, handle string) (Killed, error) {
	if err := m.mayTouch(ctx, id); err != nil {
		return Killed{}, err
	}
	err := m.kill(ctx, id)
	switch {
	case isGone(err):
		return Killed{}, errUnknownSandbox(handle)
	case err != nil:
		return Killed{}, fmt.Errorf("destroy sandbox %s: %w", handle, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	box := &Box{Handle: handle}
	box.ended.Store(true)
	m.boxes[id] = box
	return Killed{Handle: handle}, nil
}

// kill asks the backend, again when the sandbox was just changing its state.
func (m *SandboxManager) kill(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, controlDeadline)
	defer cancel()
	for pause := 100 * time.Millisecond; ; pause *= 2 {
		err := m.backend.kill(ctx, id)
		if !isBusy(err) || pause > 2*time.Second {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, endOf(ctx))
		case <-time.After(pause):
		}
	}
}
