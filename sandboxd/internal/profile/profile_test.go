package profile_test

import (
	"regexp"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]*profile.Profile{"": profile.E2B, "e2b": profile.E2B, "fc": profile.FC} {
		if got, err := profile.Named(name); err != nil || got != want {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
	if _, err := profile.Named("azure"); err == nil {
		t.Error("a profile that does not exist was found")
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	for p, pattern := range map[*profile.Profile]string{
		profile.E2B: `^i[a-z0-9]{20}$`,
		profile.FC:  `^sbx-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
	} {
		seen := make(map[string]bool)
		for range 1000 {
			id := p.NewID()
			if !regexp.MustCompile(pattern).MatchString(id) || seen[id] {
				t.Fatalf("%s: id %q, seen before: %t", p.Name, id, seen[id])
			}
			seen[id] = true
		}
	}
}
