package mcpserver

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// createDeadline bounds a creation: a backend may take 121 s to find that an
// image does not start.
const createDeadline = 150 * time.Second

// CreateRequest is a wish for a sandbox; zero fields take the server's values.
type CreateRequest struct {
	Template string
	Life     time.Duration
	Envs     map[string]string
}

// creation is a sandbox, made or in the making. done guards the rest.
type creation struct {
	done chan struct{}
	box  *Box
	err  error
}

// wait gives the sandbox once it is made. A caller that goes away does not take
// the creation along.
func (c *creation) wait(ctx context.Context) (*Box, error) {
	select {
	case <-c.done:
		return c.box, c.err
	case <-ctx.Done():
		return nil, endOf(ctx)
	}
}

// Create makes a sandbox and makes it the default of the session. Should ctx
// end first, the sandbox is destroyed as soon as it is there.
func (m *SandboxManager) Create(ctx context.Context, req *CreateRequest) (*Box, error) {
	if m.shared {
		if err := m.roomShared(ctx); err != nil {
			return nil, err
		}
	}
	made, err := m.start(req, false)
	if err != nil {
		return nil, err
	}
	box, err := made.wait(ctx)
	if err != nil {
		m.abandon(made)
		return nil, err
	}
	m.mu.Lock()
	m.def = made
	m.mu.Unlock()
	return box, nil
}

// useDefault gives the default sandbox. Concurrent first calls share one
// creation, which belongs to the session and not to one of them.
func (m *SandboxManager) useDefault(ctx context.Context) (*Box, error) {
	if m.explicit {
		return nil, toolErrorf(CodeNoDefaultSandbox, "This call names no sandbox. Call create_sandbox and pass the sandbox_id it returns.")
	}
	if m.shared {
		return m.useShared(ctx)
	}
	def := m.lastDefault()
	if def == nil {
		var err error
		if def, err = m.startDefault(); err != nil {
			return nil, err
		}
	}
	return def.wait(ctx)
}

// startDefault begins the default sandbox, or joins who did so first.
func (m *SandboxManager) startDefault() (*creation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.def != nil {
		return m.def, nil
	}
	def, err := m.startLocked(&CreateRequest{}, true)
	if err == nil {
		m.def = def
	}
	return def, err
}

func (m *SandboxManager) start(req *CreateRequest, lazy bool) (*creation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.startLocked(req, lazy)
}

func (m *SandboxManager) startLocked(req *CreateRequest, lazy bool) (*creation, error) {
	switch {
	case m.closed:
		return nil, errSessionClosed
	case m.alive >= m.most:
		return nil, errNoRoom(m.alive)
	}
	m.alive++
	made := &creation{done: make(chan struct{})}
	m.creations.Go(func() {
		defer close(made.done)
		made.box, made.err = m.create(req, lazy)
		if made.err != nil {
			m.failed(made)
		}
	})
	return made, nil
}

// failed forgets a creation, so that the next call tries anew.
func (m *SandboxManager) failed(made *creation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.alive--
	if m.def == made {
		m.def = nil
	}
}

func (m *SandboxManager) create(req *CreateRequest, lazy bool) (*Box, error) {
	ctx, cancel := context.WithTimeoutCause(m.creating, createDeadline,
		toolErrorf(CodeOutcomeUnknown, "The backend did not answer the creation of a sandbox within %s; whether it exists is unknown. Call again, it ends by itself at its timeout.", createDeadline))
	defer cancel()
	spec := m.spec(req)
	if lazy && m.shared {
		spec.Metadata = maps.Clone(spec.Metadata)
		spec.Metadata[metadataLazy] = "1"
	}
	asked := m.now()
	sandbox, err := m.backend.create(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("create sandbox: %w", because(ctx, err))
	}
	box, err := m.adopt(&Box{
		machine: sandbox, Handle: m.handles.Seal(sandbox.ID()), Template: spec.Template, Life: spec.Timeout,
		owned: true, lazy: lazy, sharedKernels: m.shared, end: asked.Add(spec.Timeout),
	})
	if err == nil && lazy && m.shared {
		box, err = m.settle(ctx, box)
	}
	if err == nil {
		m.survey(box)
	}
	return box, err
}

func errNoRoom(have int) *ToolError {
	return toolErrorf(CodeQuotaExceeded, "This session has %d sandboxes, the most it may have. Destroy one with kill_sandbox first.", have)
}

func (m *SandboxManager) spec(req *CreateRequest) *sandboxclient.CreateOptions {
	spec := &sandboxclient.CreateOptions{
		Template: req.Template, Timeout: req.Life, Envs: req.Envs,
		Metadata: m.metadata, AutoPause: m.life.Pause,
	}
	if spec.Template == "" {
		spec.Template = m.template
	}
	if spec.Timeout == 0 {
		spec.Timeout = m.life.Default
	}
	return spec
}

// adopt takes a new sandbox in, unless the session ended meanwhile.
func (m *SandboxManager) adopt(box *Box) (*Box, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.boxes[box.ID()] = box
	if m.closed {
		return nil, errSessionClosed // Close destroys it
	}
	return box, nil
}

// abandon destroys a sandbox that nobody waits for any more. After the end of
// the session, Close does.
func (m *SandboxManager) abandon(made *creation) {
	m.spawn(func() {
		if box, err := made.wait(m.creating); err == nil {
			m.discard(box)
		}
	})
}
