package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// machine is a lifecycle.Machine that only notes what is done to it.
type machine struct {
	mu       sync.Mutex
	calls    []string
	pauseErr error
	pause    chan struct{} // when set, a pause lasts until it is closed
	once     sync.Once
	ended    chan struct{}
	err      error
}

func newMachine() *machine { return &machine{ended: make(chan struct{})} }

func (m *machine) note(call string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, call)
}

func (m *machine) seen() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

func (m *machine) Dial(context.Context) (net.Conn, error) {
	return nil, errors.New("not a real machine")
}

func (m *machine) Pause(context.Context) error {
	m.note("pause")
	if m.pause != nil {
		<-m.pause
	}
	return m.pauseErr
}

func (m *machine) Resume(context.Context) error { m.note("resume"); return nil }

func (m *machine) Kill(context.Context) error {
	m.note("kill")
	m.end(nil)
	return nil
}

func (m *machine) Wait() error { <-m.ended; return m.err }

func (m *machine) end(err error) {
	m.once.Do(func() {
		m.err = err
		close(m.ended)
	})
}

// world is a manager of fake machines.
type world struct {
	*lifecycle.Manager
	mu       sync.Mutex
	machines map[string]*machine
	told     []string
	startErr error
	prepare  func(*machine)
}

func newWorld(t *testing.T, cfg lifecycle.Config) *world {
	t.Helper()
	w := &world{machines: make(map[string]*machine)}
	var ids atomic.Int32
	cfg.NewID = func() string { return fmt.Sprintf("s%d", ids.Add(1)) }
	cfg.Start = w.start
	cfg.OnChange = func(s *lifecycle.Sandbox, what string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.told = append(w.told, s.ID+" "+what)
	}
	w.Manager = lifecycle.New(&cfg)
	t.Cleanup(func() {
		if err := w.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return w
}

func (w *world) start(_ context.Context, s *lifecycle.Sandbox) (lifecycle.Machine, error) {
	if w.startErr != nil {
		return nil, w.startErr
	}
	m := newMachine()
	if w.prepare != nil {
		w.prepare(m)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.machines[s.ID] = m
	return m, nil
}

func (w *world) machine(s *lifecycle.Sandbox) *machine {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.machines[s.ID]
}

func (w *world) events() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

func (w *world) create(t *testing.T, spec lifecycle.Spec) *lifecycle.Sandbox {
	t.Helper()
	if spec.Timeout == 0 {
		spec.Timeout = time.Minute
	}
	s, err := w.Create(t.Context(), &spec)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (w *world) alive(s *lifecycle.Sandbox) bool {
	_, err := w.Get(s.ID)
	return err == nil
}
