package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config is what a Manager works with; Start and NewID are required.
type Config struct {
	Start    StartFunc
	NewID    func() string
	Clock    Clock         // nil: SystemClock
	MaxCount int           // sandboxes alive at once, paused ones included; 0 = no limit
	MaxLife  time.Duration // of one sandbox since its start or resume; 0 = no limit
	// OnChange, when set, is told what happened to a sandbox, in words. It is
	// called without any lock held.
	OnChange func(s *Sandbox, what string)
}

// Manager owns the live sandboxes of one server.
type Manager struct {
	cfg Config

	mu        sync.Mutex
	sandboxes map[string]*Sandbox
	starting  int
	closed    bool
	work      sync.WaitGroup // creates under way and watchers of machines
}

// New makes a Manager without sandboxes.
func New(cfg *Config) *Manager {
	m := &Manager{cfg: *cfg, sandboxes: make(map[string]*Sandbox)}
	if m.cfg.Clock == nil {
		m.cfg.Clock = SystemClock{}
	}
	return m
}

// Create starts a sandbox. It fails with ErrTooLong, ErrTooMany, ErrClosed or
// the error of the StartFunc; in every such case nothing is left.
func (m *Manager) Create(ctx context.Context, spec *Spec) (*Sandbox, error) {
	if m.cfg.MaxLife > 0 && spec.Timeout > m.cfg.MaxLife {
		return nil, ErrTooLong
	}
	if err := m.reserve(); err != nil {
		return nil, err
	}
	defer m.work.Done()
	s := newSandbox(m, spec)
	machine, err := m.cfg.Start(ctx, s)
	if err != nil {
		m.release()
		return nil, fmt.Errorf("start sandbox: %w", err)
	}
	s.begin(machine)
	if !m.adopt(s) {
		return nil, errors.Join(ErrClosed, s.Kill(context.WithoutCancel(ctx)))
	}
	s.tell("created")
	return s, nil
}

// reserve takes a place for a sandbox about to start, and holds Close up
// until work.Done.
func (m *Manager) reserve() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed:
		return ErrClosed
	case m.cfg.MaxCount > 0 && len(m.sandboxes)+m.starting >= m.cfg.MaxCount:
		return ErrTooMany
	}
	m.starting++
	m.work.Add(1)
	return nil
}

func (m *Manager) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.starting--
}

// adopt turns the reserved place into the sandbox, and watches its machine.
func (m *Manager) adopt(s *Sandbox) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.starting--
	m.work.Add(1)
	go func() {
		defer m.work.Done()
		s.watch()
	}()
	if m.closed {
		return false
	}
	m.sandboxes[s.ID] = s
	return true
}

func (m *Manager) forget(s *Sandbox) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sandboxes, s.ID)
}

// Get finds a live sandbox, one that is being killed included.
func (m *Manager) Get(id string) (*Sandbox, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.sandboxes[id]; ok {
		return s, nil
	}
	return nil, ErrNotFound
}

// List is every running and paused sandbox, in order of id.
func (m *Manager) List() []*Sandbox {
	list := m.all()
	list = slices.DeleteFunc(list, func(s *Sandbox) bool { return s.Info().State == Ending })
	slices.SortFunc(list, func(a, b *Sandbox) int { return strings.Compare(a.ID, b.ID) })
	return list
}

func (m *Manager) all() []*Sandbox {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]*Sandbox, 0, len(m.sandboxes))
	for _, s := range m.sandboxes {
		list = append(list, s)
	}
	return list
}

// Close refuses new sandboxes, kills all there are, and returns when each of
// them has ended or ctx is over.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	list := m.all()
	errs := make([]error, len(list))
	var kills sync.WaitGroup
	for i, s := range list {
		kills.Go(func() {
			if err := s.Kill(ctx); err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrEnding) {
				errs[i] = fmt.Errorf("kill %s: %w", s.ID, err)
			}
		})
	}
	kills.Wait()
	return errors.Join(append(errs, m.settle(ctx))...)
}

// settle waits for the goroutines that the manager started.
func (m *Manager) settle(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		m.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for sandboxes to end: %w", ctx.Err())
	}
}
