package mcpserver

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// SandboxManager holds the sandboxes of one session: which one is the default,
// how long each lives, and that those it created end with the session.
type SandboxManager struct {
	backend  backend
	now      func() time.Time
	life     LifePolicy
	template string
	metadata map[string]string // on every sandbox it creates
	most     int               // sandboxes alive at once
	explicit bool              // calls must name their sandbox
	shared   bool              // other processes serve the session too
	guarded  bool              // only sandboxes of the principal may be attached
	handles  Handles
	log      *slog.Logger

	ctx        context.Context // ends with the session
	creating   context.Context // outlives it, so that Close learns of late creations
	giveUp     context.CancelCauseFunc
	creations  sync.WaitGroup // of sandboxes, and attachments
	background sync.WaitGroup // extensions and surveys: nobody needs their result in the end

	mu       sync.Mutex
	boxes    map[string]*Box // every sandbox the session had, ended ones too
	def      *creation       // the default sandbox, nil when there is none
	attaches map[string]*creation
	alive    int // sandboxes created here that run or are in the making
	closed   bool
}

// LifePolicy says how long sandboxes live.
type LifePolicy struct {
	// Default is the idle life of sandboxes made without one, and of attached ones.
	Default time.Duration
	// Pause keeps the state of a sandbox at the end of its life, where the
	// backend can, instead of ending it. The next use resumes it.
	Pause bool
}

// Handles translates between sandbox ids and what callers are shown for them.
type Handles interface {
	// Seal gives the handle of a sandbox.
	Seal(id string) string
	// Open gives the sandbox of a handle, or false for one it did not seal.
	Open(handle string) (id string, ok bool)
}

// plainHandles shows ids as they are.
type plainHandles struct{}

func (plainHandles) Seal(id string) string                   { return id }
func (plainHandles) Open(handle string) (id string, ok bool) { return handle, true }

func newManager(ctx context.Context, backend backend, opts *Options, who *SessionOptions) *SandboxManager {
	m := &SandboxManager{
		backend: backend, now: opts.clock(), life: opts.lifePolicy(),
		template: opts.template(), metadata: sandboxMetadata(opts, who),
		most: opts.maxSandboxes(), explicit: who.Era == EraModern, shared: who.Shared, guarded: who.AttachOwnOnly,
		handles: who.Handles, log: opts.logger(),
		ctx: ctx, boxes: map[string]*Box{}, attaches: map[string]*creation{},
	}
	if m.handles == nil {
		m.handles = plainHandles{}
	}
	m.creating, m.giveUp = context.WithCancelCause(context.WithoutCancel(ctx))
	return m
}

// Do runs the work of one call on the sandbox with that handle; "" is the
// default sandbox, which is made when there is none. The life of the sandbox is
// extended beside the work, to last need and a margin at least.
func (m *SandboxManager) Do(ctx context.Context, handle string, need time.Duration, work func(*Box) (*Result, error)) (*Result, error) {
	box, err := m.find(ctx, handle)
	if err != nil {
		return nil, err
	}
	notes, err := m.wake(ctx, box)
	if err != nil {
		return nil, err
	}
	extension := m.extend(box, need)
	res, err := work(box)
	if err != nil {
		return nil, m.diagnose(ctx, box, err, extension)
	}
	box.reached.Store(true)
	res.Notes = append(append(notes, extension.note()...), res.Notes...)
	return res, nil
}

// find gives the live sandbox of a call.
func (m *SandboxManager) find(ctx context.Context, handle string) (*Box, error) {
	if handle == "" {
		return m.useDefault(ctx)
	}
	id, ok := m.handles.Open(handle)
	if !ok {
		return nil, errUnknownSandbox(handle)
	}
	m.mu.Lock()
	box := m.boxes[id]
	m.mu.Unlock()
	switch {
	case box == nil:
		return m.attach(ctx, id)
	case box.ended.Load():
		return nil, toolErrorf(CodeSandboxNotFound, "Sandbox %s has ended in this session. Leave sandbox_id out to use the default sandbox, or call create_sandbox.", handle)
	}
	return box, nil
}

func errUnknownSandbox(handle string) *ToolError {
	return toolErrorf(CodeSandboxNotFound, "There is no sandbox %s. Leave sandbox_id out to use the default sandbox, or call create_sandbox.", quote(handle))
}
