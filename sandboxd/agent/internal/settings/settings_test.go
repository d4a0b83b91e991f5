package settings_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

func TestUpdateKeepsWhatWasHandedOut(t *testing.T) {
	t.Parallel()
	given := map[string]string{"A": "1"}
	s := settings.New(settings.Values{Envs: given})
	given["A"] = "changed outside"
	before := s.Get()
	if err := s.Update(func(v *settings.Values) error {
		v.Envs["A"], v.User = "2", "bob"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if before.Envs["A"] != "1" || before.User != "" {
		t.Errorf("values in use were changed: %+v", before)
	}
	if now := s.Get(); now.Envs["A"] != "2" || now.User != "bob" {
		t.Errorf("after the update: %+v", now)
	}
}

func TestRefusedUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	s := settings.New(settings.Values{Token: "t", Envs: map[string]string{}})
	refused := errors.New("no")
	err := s.Update(func(v *settings.Values) error {
		v.Token, v.Envs["A"] = "other", "1"
		return refused
	})
	if v := s.Get(); !errors.Is(err, refused) || v.Token != "t" || len(v.Envs) != 0 {
		t.Errorf("%v, %+v", err, v)
	}
}

func TestUpdatesDoNotLoseEachOther(t *testing.T) {
	t.Parallel()
	s := settings.New(settings.Values{Envs: map[string]string{}})
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			_ = s.Update(func(v *settings.Values) error {
				v.Envs[string(rune('a'+i))] = ""
				return nil
			})
		})
	}
	all.Wait()
	if n := len(s.Get().Envs); n != 50 {
		t.Errorf("%d of 50 updates are there", n)
	}
}
