package lifecycle_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{})
		period, err := s.Period()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		if period.Err() == nil {
			t.Error("the running period goes on in a paused sandbox")
		}
		for what, err := range map[string]error{
			"pause": s.Pause(t.Context()), "set timeout": s.SetTimeout(time.Hour), "extend": s.Extend(time.Hour),
		} {
			if !errors.Is(err, lifecycle.ErrAlreadyPaused) && !errors.Is(err, lifecycle.ErrNotRunning) {
				t.Errorf("%s of a paused sandbox: %v", what, err)
			}
		}
		if err := s.Resume(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		if err := s.Resume(t.Context(), time.Hour); !errors.Is(err, lifecycle.ErrAlreadyRunning) {
			t.Errorf("second resume: %v", err)
		}
		if got := time.Until(s.Info().End); got != time.Hour {
			t.Errorf("lives for %s more, want an hour", got)
		}
		if want := []string{"pause", "resume"}; !slices.Equal(w.machine(s).seen(), want) {
			t.Errorf("machine saw %q, want %q", w.machine(s).seen(), want)
		}
	})
}

func TestPauseThatFailsLetsGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		w.prepare = func(m *machine) { m.pauseErr = errors.New("frozen solid") }
		s := w.create(t, lifecycle.Spec{Timeout: time.Minute})
		pass(20 * time.Second)
		if err := s.Pause(t.Context()); err == nil {
			t.Fatal("no error")
		}
		if info := s.Info(); info.State != lifecycle.Running || time.Until(info.End) != 40*time.Second {
			t.Errorf("state %s with %s left, want running with 40s", info.State, time.Until(info.End))
		}
	})
}

func TestKill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{})
		errs := make(chan error, 5)
		for range cap(errs) {
			go func() { errs <- s.Kill(t.Context()) }()
		}
		succeeded := 0
		for range cap(errs) {
			switch err := <-errs; {
			case err == nil:
				succeeded++
			case !errors.Is(err, lifecycle.ErrNotFound):
				t.Errorf("kill: %v", err)
			}
		}
		if succeeded != 1 || w.alive(s) {
			t.Errorf("%d kills succeeded, alive %t; want one, false", succeeded, w.alive(s))
		}
		if _, err := s.Connect(t.Context(), time.Minute); !errors.Is(err, lifecycle.ErrEnding) {
			t.Errorf("connect after kill: %v", err)
		}
	})
}

func TestKillDuringPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		release := make(chan struct{})
		w.prepare = func(m *machine) { m.pause = release }
		s := w.create(t, lifecycle.Spec{})
		paused, killed := make(chan error, 1), make(chan error, 1)
		go func() { paused <- s.Pause(t.Context()) }()
		synctest.Wait()
		go func() { killed <- s.Kill(t.Context()) }()
		synctest.Wait()
		if got := s.Info().State; got != lifecycle.Ending {
			t.Errorf("state is %s, want ending", got)
		}
		close(release)
		if err := errors.Join(<-paused, <-killed); err != nil {
			t.Error(err)
		}
		if want := []string{"pause", "kill"}; !slices.Equal(w.machine(s).seen(), want) {
			t.Errorf("machine saw %q, want %q", w.machine(s).seen(), want)
		}
	})
}

func TestKillOfAPausedSandbox(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{})
		if err := errors.Join(s.Pause(t.Context()), s.Kill(t.Context())); err != nil {
			t.Fatal(err)
		}
		if w.alive(s) {
			t.Error("alive after kill")
		}
	})
}

func TestAMachineThatEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{})
		period, err := s.Period()
		if err != nil {
			t.Fatal(err)
		}
		w.machine(s).end(errors.New("out of memory"))
		synctest.Wait()
		if w.alive(s) || period.Err() == nil {
			t.Error("the sandbox outlived its machine")
		}
		if want := []string{"s1 created", "s1 ended by itself: out of memory"}; !slices.Equal(w.events(), want) {
			t.Errorf("told %q, want %q", w.events(), want)
		}
		if err := s.Kill(t.Context()); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("kill: %v", err)
		}
	})
}
