//go:build unix

package safefile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/safefile"
)

func open(t *testing.T, path string) *safefile.File {
	t.Helper()
	f, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

var plain = &safefile.ReplaceOptions{NewMode: 0o644, DirMode: 0o755}

func TestReplaceKeepsMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o644, 0o664, 0o755, 0o400} {
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, "old", mode)
		if err := open(t, path).Replace([]byte("new"), plain); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %o, want %o (%v)", info.Mode().Perm(), mode, err)
		}
	}
}

func TestPrivateTakesAccessAway(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old", 0o664)
	if err := open(t, path).Replace([]byte("key"), &safefile.ReplaceOptions{Private: true}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o (%v)", info.Mode().Perm(), err)
	}
}

func TestReplaceKeepsOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root may give a file to another user")
	}
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old", 0o640)
	if err := os.Chown(path, 12345, 54321); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Replace([]byte("new"), plain); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 12345 || st.Gid != 54321 || info.Mode().Perm() != 0o640 {
		t.Errorf("owner %d:%d, mode %o", st.Uid, st.Gid, info.Mode().Perm())
	}
}

// A client that writes between Open and Replace must not lose its change.
func TestReplaceDetectsChanges(t *testing.T) {
	t.Parallel()
	changes := map[string]func(path string) error{
		"rewritten": func(p string) error { return os.WriteFile(p, []byte("OLD"), 0o600) },
		"removed":   os.Remove,
		"truncated": func(p string) error { return os.Truncate(p, 0) },
	}
	for name, change := range changes {
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, "old", 0o600)
		f := open(t, path)
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		if err := f.Replace([]byte("new"), plain); !errors.Is(err, safefile.ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s: the file became %q", name, after)
		}
		noTemporaries(t, filepath.Dir(path))
	}
	path := filepath.Join(t.TempDir(), "f")
	f := open(t, path)
	write(t, path, "created", 0o600)
	if err := f.Replace([]byte("new"), plain); !errors.Is(err, safefile.ErrChanged) {
		t.Errorf("created: error %v", err)
	}
}

func noTemporaries(t *testing.T, dir string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(dir, ".abx-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// What a killed writer left behind goes, once it is old; a fresh one may be
// another writer's.
func TestStaleTemporariesAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, ".abx-1-1"), filepath.Join(dir, ".abx-2-2")
	write(t, old, "half", 0o600)
	write(t, fresh, "half", 0o600)
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if err := open(t, filepath.Join(dir, "f")).Replace([]byte("x"), plain); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old one is left (%v)", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the fresh one went: %v", err)
	}
}

// zhukunpenglinyutong/jetbrains-cc-gui#1758: a reader sees the old or the new
// content, whenever the writer dies.
func TestKilledWriterLeavesNoHalfFile(t *testing.T) {
	if dir := os.Getenv("SAFEFILE_WRITER"); dir != "" {
		writeForever(filepath.Join(dir, "f"))
		return
	}
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	write(t, path, content(0), 0o600)
	for range 10 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriterLeavesNoHalfFile$")
		cmd.Env = append(os.Environ(), "SAFEFILE_WRITER="+dir)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := stdout.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			wholeFile(t, path)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		wholeFile(t, path)
	}
}

func content(i int) string { return strings.Repeat(fmt.Sprintf("%08d", i), 4096) }

func writeForever(path string) {
	for i := 1; ; i++ {
		f, err := safefile.Open(path)
		if err == nil {
			err = f.Replace([]byte(content(i)), plain)
		}
		if err != nil {
			panic(err)
		}
		if i == 1 {
			fmt.Println("writing")
		}
	}
}

func wholeFile(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || len(data) != 8*4096 || strings.Repeat(string(data[:8]), 4096) != string(data) {
		t.Fatalf("%d bytes (%v)", len(data), err)
	}
}

func TestLockExcludesAndIsReleased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unlock, err := safefile.Lock(context.Background(), dir, "/x/mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := safefile.Lock(ctx, dir, "/x/mcp.json"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second lock: %v", err)
	}
	other, err := safefile.Lock(context.Background(), dir, "/y/mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	other()
	unlock()
	again, err := safefile.Lock(context.Background(), dir, "/x/mcp.json")
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestLockFailsClosed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	write(t, file, "", 0o600)
	if _, err := safefile.Lock(context.Background(), filepath.Join(file, "locks"), "/x"); err == nil {
		t.Error("a lock without a directory was given")
	}
}
