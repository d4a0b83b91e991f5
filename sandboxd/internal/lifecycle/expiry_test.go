package lifecycle_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// pass lets d pass on the clock of the bubble, and everything settle.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestASandboxEndsWithItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{Timeout: 10 * time.Second})
		pass(10*time.Second - 1)
		if !w.alive(s) {
			t.Fatal("ended too early")
		}
		pass(1)
		if w.alive(s) || !slices.Equal(w.machine(s).seen(), []string{"kill"}) {
			t.Errorf("alive after its end; machine saw %q", w.machine(s).seen())
		}
		if want := []string{"s1 created", "s1 expired"}; !slices.Equal(w.events(), want) {
			t.Errorf("told %q, want %q", w.events(), want)
		}
	})
}

func TestMovingTheEnd(t *testing.T) {
	t.Parallel()
	const limit = 100 * time.Second
	for name, c := range map[string]struct {
		move func(*lifecycle.Sandbox) error // after 5 of 10 seconds
		end  time.Duration                  // since the start
	}{
		"set later":             {func(s *lifecycle.Sandbox) error { return s.SetTimeout(20 * time.Second) }, 25 * time.Second},
		"set earlier":           {func(s *lifecycle.Sandbox) error { return s.SetTimeout(time.Second) }, 6 * time.Second},
		"set beyond the limit":  {func(s *lifecycle.Sandbox) error { return s.SetTimeout(limit) }, limit},
		"extend later":          {func(s *lifecycle.Sandbox) error { return s.Extend(20 * time.Second) }, 25 * time.Second},
		"extend never shortens": {func(s *lifecycle.Sandbox) error { return s.Extend(time.Second) }, 10 * time.Second},
		"connect extends": {func(s *lifecycle.Sandbox) error {
			resumed, err := s.Connect(context.Background(), 30*time.Second)
			if resumed {
				return errors.New("a running sandbox was resumed")
			}
			return err
		}, 35 * time.Second},
		"connect never shortens": {func(s *lifecycle.Sandbox) error {
			_, err := s.Connect(context.Background(), time.Second)
			return err
		}, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, lifecycle.Config{MaxLife: limit})
				s := w.create(t, lifecycle.Spec{Timeout: 10 * time.Second})
				pass(5 * time.Second)
				if err := c.move(s); err != nil {
					t.Fatal(err)
				}
				if got := s.Info().End.Sub(s.Created); got != c.end {
					t.Errorf("end is %s after the start, want %s", got, c.end)
				}
				pass(c.end - 5*time.Second - 1)
				if !w.alive(s) {
					t.Error("ended too early")
				}
				pass(1)
				if w.alive(s) {
					t.Error("alive after its end")
				}
			})
		})
	}
}

func TestZeroEndsAtOnce(t *testing.T) {
	t.Parallel()
	for _, timeout := range []time.Duration{0, -time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, lifecycle.Config{})
			s := w.create(t, lifecycle.Spec{})
			if err := s.SetTimeout(timeout); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if w.alive(s) {
				t.Errorf("alive after a timeout of %s", timeout)
			}
		})
	}
}

func TestLongerThanAllowed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{MaxLife: time.Hour})
		s := w.create(t, lifecycle.Spec{})
		_, createErr := w.Create(t.Context(), &lifecycle.Spec{Timeout: time.Hour + 1})
		_, connectErr := s.Connect(t.Context(), time.Hour+1)
		for what, err := range map[string]error{
			"create": createErr, "connect": connectErr,
			"set": s.SetTimeout(time.Hour + 1), "extend": s.Extend(time.Hour + 1),
		} {
			if !errors.Is(err, lifecycle.ErrTooLong) {
				t.Errorf("%s: got %v, want ErrTooLong", what, err)
			}
		}
	})
}

func TestAutoPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{MaxLife: time.Minute})
		s := w.create(t, lifecycle.Spec{Timeout: 10 * time.Second, AutoPause: true})
		pass(10 * time.Second)
		if got := s.Info().State; got != lifecycle.Paused {
			t.Fatalf("state is %s, want paused", got)
		}
		pass(time.Hour) // a paused sandbox has no end
		resumed, err := s.Connect(t.Context(), time.Minute)
		if err != nil || !resumed {
			t.Fatalf("connect: resumed %t, %v", resumed, err)
		}
		// The limit counts from the resume.
		if got := time.Until(s.Info().End); got != time.Minute {
			t.Errorf("lives for %s more, want a minute", got)
		}
	})
}

func TestAutoPauseThatFailsKills(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		w.prepare = func(m *machine) { m.pauseErr = errors.New("frozen solid") }
		s := w.create(t, lifecycle.Spec{Timeout: 10 * time.Second, AutoPause: true})
		pass(10 * time.Second)
		if w.alive(s) {
			t.Error("alive after its end")
		}
	})
}
