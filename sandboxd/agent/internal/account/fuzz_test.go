package account_test

import (
	"path/filepath"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

// FuzzResolve holds that a path is refused or absolute, and an absolute one
// is left as it was sent.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"", "~", "~/x", "~bob", "a/../b", "/abs/./x/", "..", "\x00"} {
		f.Add(seed)
	}
	u := &account.User{Name: "user", Home: "/home/user"}
	f.Fuzz(func(t *testing.T, path string) {
		got, err := u.Resolve(path, "/app")
		switch {
		case err != nil && path[0] != '~':
			t.Errorf("Resolve(%q): %v", path, err)
		case err == nil && !filepath.IsAbs(got):
			t.Errorf("Resolve(%q) = %q, not absolute", path, got)
		case filepath.IsAbs(path) && got != path:
			t.Errorf("Resolve(%q) = %q", path, got)
		}
	})
}
