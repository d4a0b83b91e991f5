package mcpserver

import (
	"context"
	"sync"
	"time"
)

// SandboxManager holds the sandboxes of one session: which one is the default,
// how long each lives, and that all of them end with the session.
type SandboxManager struct {
	backend  Backend
	template string
	life     time.Duration     // of sandboxes made lazily or attached
	metadata map[string]string // on every sandbox it creates
	ctx      context.Context   // ends with the session

	creators sync.WaitGroup

	mu     sync.Mutex
	boxes  map[string]*Box
	def    *creation
	closed bool
}

// Box is a sandbox as its session knows it.
type Box struct {
	Sandbox
	Envs map[string]string // for every command and every piece of code

	owned bool          // created here, so destroyed at the session's end
	life  time.Duration // from the last use on
	ended bool
}

// creation is a default sandbox, made or in the making.
type creation struct {
	done chan struct{}
	box  *Box
	err  error
}

func newManager(ctx context.Context, backend Backend, opts *Options, who *SessionOptions) *SandboxManager {
	return &SandboxManager{
		backend: backend, template: opts.template(), life: opts.sandboxTimeout(),
		metadata: sandboxMetadata(opts, who),
		ctx:      ctx, boxes: map[string]*Box{},
	}
}

// CreateRequest is a wish for a sandbox; zero fields take the server's values.
type CreateRequest struct {
	Template string
	Life     time.Duration
	Envs     map[string]string
}

// Create makes a sandbox and makes it the default of the session.
func (m *SandboxManager) Create(ctx context.Context, req *CreateRequest) (*Box, error) {
	box, err := m.create(ctx, req)
	if err != nil {
		return nil, err
	}
	made := &creation{done: make(chan struct{}), box: box}
	close(made.done)
	m.mu.Lock()
	m.def = made
	m.mu.Unlock()
	return box, nil
}

// Use finds the sandbox of a call: the named one, or the default, which is made
// when there is none.
func (m *SandboxManager) Use(ctx context.Context, id string) (*Box, error) {
	if id == "" {
		return m.useDefault(ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if box := m.boxes[id]; box != nil && !box.ended {
		return box, nil
	}
	return nil, toolErrorf(CodeSandboxNotFound, "There is no sandbox %q in this session. Leave sandbox_id out to use the default sandbox, or call create_sandbox.", id)
}

// useDefault waits for the default sandbox. Concurrent first calls share one
// creation, which belongs to the session: a caller that goes away does not
// take it along.
func (m *SandboxManager) useDefault(ctx context.Context) (*Box, error) {
	m.mu.Lock()
	def := m.def
	if def == nil {
		def = &creation{done: make(chan struct{})}
		m.def = def
		m.creators.Go(func() { m.fill(def) })
	}
	m.mu.Unlock()
	select {
	case <-def.done:
		return def.box, def.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// fill makes the default sandbox; after a failure the next call tries anew.
func (m *SandboxManager) fill(def *creation) {
	defer close(def.done)
	def.box, def.err = m.create(m.ctx, &CreateRequest{})
	if def.err == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.def == def {
		m.def = nil
	}
}

func (m *SandboxManager) create(ctx context.Context, req *CreateRequest) (*Box, error) {
	template, life := req.Template, req.Life
	if template == "" {
		template = m.template
	}
	if life == 0 {
		life = m.life
	}
	sandbox, err := m.backend.Create(ctx, &CreateSpec{
		Template: template, Life: life, Envs: req.Envs, Metadata: m.metadata,
	})
	if err != nil {
		return nil, err
	}
	return m.adopt(&Box{Sandbox: sandbox, Envs: req.Envs, owned: true, life: life})
}

// adopt takes a new sandbox in, unless the session ended meanwhile.
func (m *SandboxManager) adopt(box *Box) (*Box, error) {
	m.mu.Lock()
	closed := m.closed
	if !closed {
		m.boxes[box.ID()] = box
	}
	m.mu.Unlock()
	if !closed {
		return box, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), closeDeadline)
	defer cancel()
	_ = m.backend.Kill(ctx, box.ID())
	return nil, errSessionClosed
}
