package state_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/state"
)

func open(t *testing.T, base string) *state.Store {
	t.Helper()
	s, err := state.Open(base, 0o711)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSweepLeavesTheLivingAlone(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "a", "b")
	s := open(t, base)
	dir, err := s.Make("one")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v, want 0700", info.Mode(), err)
	}
	dead := filepath.Join(base, "dead", "two")
	if err := os.MkdirAll(filepath.Join(dead, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "dead", "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dead, "deep"), 0); err != nil {
		t.Fatal(err)
	}
	var swept []string
	if err := state.Sweep(base, func(dir string) { swept = append(swept, dir) }); err != nil {
		t.Fatal(err)
	}
	if len(swept) != 1 || swept[0] != dead {
		t.Errorf("swept %v, want %s", swept, dead)
	}
	if _, err := os.Stat(filepath.Join(base, "dead")); !os.IsNotExist(err) {
		t.Errorf("the dead store is still there: %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the living store was swept: %v", err)
	}
}

func TestSweepWaitsForAStoreInTheMaking(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	fresh, old := filepath.Join(base, ".new-fresh"), filepath.Join(base, ".new-old")
	for _, dir := range []string{fresh, old} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	if err := state.Sweep(base, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("a store in the making was swept")
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("a store that was never finished stays")
	}
}

func TestOpenRefusesADirectoryThatOthersCanWrite(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(base, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	if s, err := state.Open(base, 0o711); err == nil {
		s.Close()
		t.Error("opened a directory that everybody can write")
	}
}

func TestCloseRemovesTheStore(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	if _, err := s.Make("one"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Path()); !os.IsNotExist(err) {
		t.Errorf("the store is still there: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
}

func TestPruneLeavesNoEmptyDirectories(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	base := filepath.Join(root, "abx", "sandboxes")
	first, second := open(t, base), open(t, base)
	first.Prune, second.Prune = true, true
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(second.Path()); err != nil {
		t.Errorf("the other store is gone: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(root); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
