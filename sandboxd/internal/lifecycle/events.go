package lifecycle

import (
	"slices"
	"time"
)

// maxEvents bounds what a sandbox remembers of itself; the oldest go first.
const maxEvents = 1000

// Event is one thing that happened to a sandbox.
type Event struct {
	At   time.Time
	What string
}

// Events lists what happened to the sandbox, oldest first.
func (s *Sandbox) Events() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// tell notes the event and passes it on; no lock is held.
func (s *Sandbox) tell(what string) {
	s.mu.Lock()
	if len(s.events) == maxEvents {
		s.events = slices.Delete(s.events, 0, 1)
	}
	s.events = append(s.events, Event{At: s.manager.cfg.Clock.Now(), What: what})
	s.mu.Unlock()
	if notify := s.manager.cfg.OnChange; notify != nil {
		notify(s, what)
	}
}
