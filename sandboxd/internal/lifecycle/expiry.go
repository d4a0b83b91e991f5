package lifecycle

import (
	"context"
	"time"
)

// SetTimeout puts the end of life timeout from now, earlier or later than it
// was; zero or less ends the sandbox at once. It fails with ErrNotRunning,
// ErrTooLong or ErrNotFound.
func (s *Sandbox) SetTimeout(timeout time.Duration) error {
	return s.retime(timeout, true)
}

// Extend is SetTimeout that never shortens.
func (s *Sandbox) Extend(timeout time.Duration) error {
	return s.retime(timeout, false)
}

func (s *Sandbox) retime(timeout time.Duration, mayShorten bool) error {
	if limit := s.manager.cfg.MaxLife; limit > 0 && timeout > limit {
		return ErrTooLong
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case Running:
	case Ending:
		return ErrNotFound
	default:
		return ErrNotRunning
	}
	if end := s.manager.cfg.Clock.Now().Add(timeout); mayShorten || end.After(s.end) {
		s.setEnd(end)
	}
	return nil
}

// setEnd moves the end of life, to no later than MaxLife after the start of
// the running period; mu is held.
func (s *Sandbox) setEnd(end time.Time) {
	if limit := s.manager.cfg.MaxLife; limit > 0 {
		if last := s.started.Add(limit); end.After(last) {
			end = last
		}
	}
	s.end = end
	s.stopTimer()
	clock := s.manager.cfg.Clock
	s.stopTimer = clock.AfterFunc(max(end.Sub(clock.Now()), 0), s.expire)
}

// expire is called by the timer. The end may have been moved since it fired.
func (s *Sandbox) expire() {
	if !s.due() {
		return
	}
	ctx := context.Background()
	if s.Spec.AutoPause && s.Pause(ctx) == nil {
		return
	}
	// Whoever else ends it at this moment does the same.
	_ = s.finish(ctx, "expired")
}

func (s *Sandbox) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == Running && !s.manager.cfg.Clock.Now().Before(s.end)
}

// left is the rest of the present life.
func (s *Sandbox) left() time.Duration {
	return max(s.Info().End.Sub(s.manager.cfg.Clock.Now()), 0)
}
