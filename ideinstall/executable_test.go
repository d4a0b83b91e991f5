package ideinstall_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentsandbox/agent-sandbox/ideinstall"
)

// modelcontextprotocol/servers#64: the path is absolute. A package manager's link
// is kept, for it outlives an upgrade and its target does not.
func TestExecutable(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "abx")
	if err := os.Symlink(self, link); err != nil {
		t.Skip("links cannot be made here: " + err.Error())
	}
	other := filepath.Join(t.TempDir(), "abx")
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for argv0, want := range map[string]string{link: link, self: self, other: self, "/nowhere/abx": self, "no-such-program": self} {
		if got, err := ideinstall.Executable(argv0); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", argv0, got, err, want)
		}
	}
}

func TestTemporary(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		filepath.Join(os.TempDir(), "x", "abx"): true,
		"/home/u/.cache/go-build/ab/abx":        true,
		"/var/tmp/abx":                          true,
		"/usr/local/bin/abx":                    false,
		"/tmpfiles/abx":                         false,
	} {
		if got := ideinstall.Temporary(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
