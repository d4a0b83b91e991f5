package account_test

import (
	"errors"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	u := &account.User{Name: "user", Home: "/home/user"}
	for _, tt := range []struct{ path, fallback, want string }{
		{"", "", "/home/user"},
		{"", "/app", "/app"},
		{"", "~/work", "/home/user/work"},
		{"~", "/app", "/home/user"},
		{"~/a b", "", "/home/user/a b"},
		{"~/../x", "", "/home/x"},
		{"a/../b", "/app", "/home/user/b"},
		{"/abs/./kept/", "", "/abs/./kept/"},
		{"/with~tilde", "", "/with~tilde"},
		{"a/~", "", "/home/user/a/~"},
	} {
		if got, err := u.Resolve(tt.path, tt.fallback); err != nil || got != tt.want {
			t.Errorf("Resolve(%q, %q) = %q, %v; want %q", tt.path, tt.fallback, got, err, tt.want)
		}
	}
}

func TestResolveRefusesOtherHomes(t *testing.T) {
	t.Parallel()
	u := &account.User{Name: "user", Home: "/home/user"}
	const want = "failed to expand path '' for user 'user': cannot expand user-specific home dir"
	for _, path := range []string{"~root", "~root/x", "~~"} {
		if got, err := u.Resolve(path, ""); err == nil || err.Error() != want {
			t.Errorf("Resolve(%q) = %q, %v", path, got, err)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	closed := account.Table{Known: []account.User{{Name: "user", UID: 7, Home: "/h"}}}
	open := closed
	open.System = true
	if u, err := closed.Lookup("user"); err != nil || u.UID != 7 {
		t.Errorf("known user: %v, %v", u, err)
	}
	var unknown *account.UnknownError
	if _, err := closed.Lookup("root"); !errors.As(err, &unknown) || unknown.Name != "root" {
		t.Errorf("root of a closed table: %v", err)
	}
	if u, err := open.Lookup("root"); err != nil || u.UID != 0 || u.Home == "" {
		t.Errorf("root of the system: %v, %v", u, err)
	}
	if _, err := open.Lookup("no-such-user"); !errors.As(err, &unknown) {
		t.Errorf("unknown to the system: %v", err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	table := account.Table{Known: []account.User{{Name: "user", UID: 4001, GID: 4002}}}
	n := table.Names()
	for range 2 { // the second time from memory
		if u, g := n.User(4001), n.Group(4002); u != "user" || g != "user" {
			t.Errorf("known ids: %q, %q", u, g)
		}
		if u, g := n.User(0), n.Group(0); u != "root" || g == "" {
			t.Errorf("ids of the system: %q, %q", u, g)
		}
		if u, g := n.User(3_999_999), n.Group(3_999_999); u != "3999999" || g != "3999999" {
			t.Errorf("ids without a name: %q, %q", u, g)
		}
	}
}
