package lifecycle

import (
	"context"
	"fmt"
	"time"
)

// take waits until no other change is at work; release ends this one.
func (s *Sandbox) take(ctx context.Context) error {
	select {
	case s.changing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for another change of the sandbox: %w", ctx.Err())
	}
}

func (s *Sandbox) release() { <-s.changing }

// Pause stops everything in the sandbox and cuts what is connected to it; its
// files and processes stay. It fails with ErrAlreadyPaused or ErrNotFound.
func (s *Sandbox) Pause(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.release()
	if err := s.leaveFor(Pausing, ErrAlreadyPaused); err != nil {
		return err
	}
	if err := s.machine.Pause(ctx); err != nil {
		s.settle(Running, s.left())
		return fmt.Errorf("pause sandbox: %w", err)
	}
	s.settle(Paused, 0)
	s.tell("paused")
	return nil
}

// leaveFor ends the running period; wrong is the error when there is none.
func (s *Sandbox) leaveFor(to State, wrong error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case Running:
		s.leave(to)
		return nil
	case Ending:
		return ErrNotFound
	default:
		return wrong
	}
}

// settle leaves a short state, unless a kill has come in between.
func (s *Sandbox) settle(to State, timeout time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.state == Ending:
	case to == Running:
		s.enter(timeout)
	default:
		s.state = to
	}
}

// Resume lets a paused sandbox go on for timeout. It fails with
// ErrAlreadyRunning, ErrTooLong or ErrNotFound.
func (s *Sandbox) Resume(ctx context.Context, timeout time.Duration) error {
	resumed, err := s.Connect(ctx, timeout)
	if err == nil && !resumed {
		return ErrAlreadyRunning
	}
	return err
}

// Connect makes sure that the sandbox runs for at least timeout: it extends a
// running one and resumes a paused one, and says which. It fails with
// ErrEnding or ErrTooLong.
func (s *Sandbox) Connect(ctx context.Context, timeout time.Duration) (resumed bool, err error) {
	if limit := s.manager.cfg.MaxLife; limit > 0 && timeout > limit {
		return false, ErrTooLong
	}
	if err := s.take(ctx); err != nil {
		return false, err
	}
	defer s.release()
	switch s.Info().State {
	case Running:
		return false, s.Extend(timeout)
	case Ending:
		return false, ErrEnding
	}
	if err := s.machine.Resume(ctx); err != nil {
		return false, fmt.Errorf("resume sandbox: %w", err)
	}
	s.settle(Running, timeout)
	s.tell("resumed")
	return true, nil
}

// Kill ends the sandbox, running or paused, and returns when nothing of it is
// left. It fails with ErrNotFound when it has ended, or is being killed
// already.
func (s *Sandbox) Kill(ctx context.Context) error {
	return s.finish(ctx, "killed")
}

func (s *Sandbox) finish(ctx context.Context, why string) error {
	if !s.markEnding() {
		return ErrNotFound
	}
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.release()
	if err := s.machine.Kill(ctx); err != nil {
		return fmt.Errorf("kill sandbox: %w", err)
	}
	select {
	case <-s.gone:
	case <-ctx.Done():
		return fmt.Errorf("wait for the end of the sandbox: %w", ctx.Err())
	}
	s.tell(why)
	return nil
}

// markEnding reports whether the caller is the one who ends the sandbox.
func (s *Sandbox) markEnding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == Ending {
		return false
	}
	s.leave(Ending)
	return true
}

// watch waits for the machine. A machine that ends by itself (its agent was
// killed from inside, the host ran out of memory) ends the sandbox.
func (s *Sandbox) watch() {
	err := s.machine.Wait()
	unexpected := s.markEnding()
	s.manager.forget(s)
	close(s.gone)
	if unexpected {
		s.tell(fmt.Sprintf("ended by itself: %v", err))
	}
}
