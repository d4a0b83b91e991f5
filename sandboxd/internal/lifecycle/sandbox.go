package lifecycle

import (
	"context"
	"net"
	"sync"
	"time"
)

// State is where a sandbox is in its life.
type State string

// The states. Running and Paused last; a sandbox is in the others only while
// an operation is at work.
const (
	Starting State = "starting"
	Running  State = "running"
	Pausing  State = "pausing"
	Paused   State = "paused"
	Ending   State = "ending" // and, once forgotten by the manager, ended
)

// Sandbox is one sandbox. ID, Spec (without Network) and Created never change.
type Sandbox struct {
	ID      string
	Spec    Spec
	Created time.Time

	manager  *Manager
	machine  Machine
	changing chan struct{} // full during a pause, a resume, a kill
	gone     chan struct{}

	mu        sync.Mutex
	state     State
	started   time.Time // of the present running period
	end       time.Time
	stopTimer func() bool
	// period ends with the running period: what is connected must let go.
	period    context.Context
	endPeriod context.CancelFunc
	events    []Event
}

// Info is what changes about a sandbox, read at one moment.
type Info struct {
	State   State
	Started time.Time // start, or last resume
	End     time.Time // when its life is over unless it is extended
	Network Network
}

func newSandbox(m *Manager, spec *Spec) *Sandbox {
	return &Sandbox{
		ID: m.cfg.NewID(), Spec: *spec, Created: m.cfg.Clock.Now(),
		manager: m, changing: make(chan struct{}, 1), gone: make(chan struct{}), state: Starting,
		stopTimer: func() bool { return false },
	}
}

// begin makes a sandbox whose machine has just started a running one.
func (s *Sandbox) begin(machine Machine) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.machine = machine
	s.enter(s.Spec.Timeout)
}

// enter begins a running period of the given length; mu is held.
func (s *Sandbox) enter(timeout time.Duration) {
	s.state = Running
	s.started = s.manager.cfg.Clock.Now()
	s.period, s.endPeriod = context.WithCancel(context.Background())
	s.setEnd(s.started.Add(timeout))
}

// leave ends the running period, if there is one; mu is held.
func (s *Sandbox) leave(to State) {
	s.state = to
	s.stopTimer()
	if s.endPeriod != nil {
		s.endPeriod()
	}
}

// Info reads the changing part.
func (s *Sandbox) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Info{State: s.state, Started: s.started, End: s.end, Network: s.Spec.Network}
}

// SetNetwork replaces what the sandbox may reach.
func (s *Sandbox) SetNetwork(n *Network) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Spec.Network = *n
}

// Period is the context of the present running period: it ends when the
// sandbox is paused, killed or expires. It fails with ErrNotRunning otherwise.
func (s *Sandbox) Period() (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != Running {
		return nil, ErrNotRunning
	}
	return s.period, nil
}

// Dial opens a connection to the agent.
func (s *Sandbox) Dial(ctx context.Context) (net.Conn, error) {
	return s.machine.Dial(ctx)
}

// Machine is what runs behind the sandbox, for what the lifecycle does not
// know about (its use of resources).
func (s *Sandbox) Machine() Machine { return s.machine }
