package mcpserver

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"time"
)

// controlDeadline bounds calls of the control plane other than create.
const controlDeadline = 30 * time.Second

// sandboxID is what ids look like on every backend; anything else is not worth
// a request.
var sandboxID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`) })

// attach takes in a sandbox that this session did not create. It is not
// destroyed at the session's end. Concurrent calls share one attachment.
func (m *SandboxManager) attach(ctx context.Context, id string) (*Box, error) {
	if !sandboxID().MatchString(id) {
		return nil, errUnknownSandbox(id)
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil, errSessionClosed
	}
	attached := m.attaches[id]
	if attached == nil {
		attached = &creation{done: make(chan struct{})}
		m.attaches[id] = attached
		m.creations.Go(func() {
			defer close(attached.done)
			attached.box, attached.err = m.connect(id)
		})
	}
	m.mu.Unlock()
	return attached.wait(ctx)
}

func (m *SandboxManager) connect(id string) (*Box, error) {
	ctx, cancel := context.WithTimeout(m.ctx, controlDeadline)
	defer cancel()
	box, err := m.reach(ctx, id)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.attaches, id)
	if err == nil {
		m.boxes[id] = box
	}
	return box, err
}

func (m *SandboxManager) reach(ctx context.Context, id string) (*Box, error) {
	if err := m.mayTouch(ctx, id); err != nil {
		return nil, err
	}
	asked := m.now()
	sandbox, err := m.backend.connect(ctx, id, m.life.Default)
	switch {
	case isGone(err):
		return nil, errUnknownSandbox(m.handles.Seal(id))
	case err != nil:
		return nil, fmt.Errorf("attach to sandbox %s: %w", id, because(ctx, err))
	}
	return &Box{
		machine: sandbox, Handle: m.handles.Seal(id), Life: m.life.Default,
		sharedKernels: m.shared, end: asked.Add(m.life.Default),
	}, nil
}

// mayTouch tells whether the principal may use a sandbox of unknown origin. A
// sandbox of somebody else does not exist for it.
func (m *SandboxManager) mayTouch(ctx context.Context, id string) error {
	if !m.guarded {
		return nil
	}
	labels, err := m.backend.metadata(ctx, id)
	switch {
	case isGone(err), err == nil && labels[MetadataOwner] != m.metadata[MetadataOwner]:
		return errUnknownSandbox(m.handles.Seal(id))
	case err != nil:
		return fmt.Errorf("look up sandbox %s: %w", id, because(ctx, err))
	}
	return nil
}
