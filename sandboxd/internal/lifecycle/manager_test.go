package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

func TestTooMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{MaxCount: 2})
		first := w.create(t, lifecycle.Spec{})
		second := w.create(t, lifecycle.Spec{})
		if err := second.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Create(t.Context(), &lifecycle.Spec{Timeout: 1}); !errors.Is(err, lifecycle.ErrTooMany) {
			t.Fatalf("third create: %v", err)
		}
		if err := first.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.create(t, lifecycle.Spec{})
	})
}

func TestAStartThatFailsTakesNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{MaxCount: 1})
		w.startErr = errors.New("no such image")
		if _, err := w.Create(t.Context(), &lifecycle.Spec{Timeout: 1}); !errors.Is(err, w.startErr) {
			t.Fatalf("create: %v", err)
		}
		w.startErr = nil
		w.create(t, lifecycle.Spec{})
	})
}

func TestListHasNoEnded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		first, second := w.create(t, lifecycle.Spec{}), w.create(t, lifecycle.Spec{})
		if err := first.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list := w.List(); len(list) != 1 || list[0] != second {
			t.Errorf("listed %d sandboxes, want the second alone", len(list))
		}
	})
}

func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		running, paused := w.create(t, lifecycle.Spec{}), w.create(t, lifecycle.Spec{})
		if err := errors.Join(paused.Pause(t.Context()), w.Close(t.Context())); err != nil {
			t.Fatal(err)
		}
		if w.alive(running) || w.alive(paused) {
			t.Error("alive after close")
		}
		if _, err := w.Create(t.Context(), &lifecycle.Spec{Timeout: 1}); !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("create after close: %v", err)
		}
	})
}

// A sandbox whose start outlasts the beginning of Close is ended by it.
func TestCloseWaitsForAStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		started, release := make(chan *machine, 1), make(chan struct{})
		m := lifecycle.New(&lifecycle.Config{
			NewID: func() string { return "s1" },
			Start: func(context.Context, *lifecycle.Sandbox) (lifecycle.Machine, error) {
				<-release
				m := newMachine()
				started <- m
				return m, nil
			},
		})
		created, closed := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := m.Create(context.Background(), &lifecycle.Spec{Timeout: 1})
			created <- err
		}()
		synctest.Wait()
		go func() { closed <- m.Close(context.Background()) }()
		synctest.Wait()
		close(release)
		if err := <-created; !errors.Is(err, lifecycle.ErrClosed) {
			t.Errorf("create: %v", err)
		}
		if err := <-closed; err != nil {
			t.Errorf("close: %v", err)
		}
		if seen := (<-started).seen(); len(seen) != 1 || seen[0] != "kill" {
			t.Errorf("machine saw %q, want a kill", seen)
		}
	})
}

func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, lifecycle.Config{})
		s := w.create(t, lifecycle.Spec{})
		if err := s.Pause(t.Context()); err != nil {
			t.Fatal(err)
		}
		events := s.Events()
		if len(events) != 2 || events[0].What != "created" || events[1].What != "paused" {
			t.Errorf("events are %+v", events)
		}
	})
}
