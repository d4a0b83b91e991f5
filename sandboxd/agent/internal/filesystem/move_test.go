package filesystem_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// otherMount is a directory on another file system than the temporary one.
func otherMount(t *testing.T, b *bench) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "move-")
	if err != nil {
		t.Skipf("needs /dev/shm as a second file system: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Rename(b.write("probe", ""), filepath.Join(dir, "probe")); err == nil {
		t.Skip("needs /dev/shm as a second file system, here it is the first one")
	}
	return dir
}

func TestMoveBetweenMountsKeepsEverything(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := otherMount(t, b)
	b.write("tree/sub/f", "content")
	b.symlink("sub/f", "tree/link")
	when := time.Unix(1_500_000_000, 0)
	for path, mode := range map[string]os.FileMode{"tree/sub/f": 0o751, "tree/sub": 0o555} {
		if err := os.Chmod(b.path(path), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(b.path(path), when, when); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(b.path("tree/sub"), 0o755) // should the move fail
	if os.Geteuid() != 0 {
		_ = os.Chmod(b.path("tree/sub"), 0o755) // only root may empty a read-only directory
		_ = os.Chtimes(b.path("tree/sub"), when, when)
	}
	res, err := b.Move(b.ctx, &wire.MoveRequest{Source: "tree", Destination: filepath.Join(other, "in/there")})
	if err != nil || res.GetEntry().GetName() != "there" {
		t.Fatalf("%v, %v", res, err)
	}
	at := filepath.Join(other, "in/there")
	info, err := os.Stat(filepath.Join(at, "sub/f"))
	if err != nil || info.Mode().Perm() != 0o751 || !info.ModTime().Equal(when) {
		t.Errorf("file: %v, %v", info, err)
	}
	if dir, err := os.Stat(filepath.Join(at, "sub")); err != nil || !dir.ModTime().Equal(when) {
		t.Errorf("directory: %v, %v", dir, err)
	}
	if target, err := os.Readlink(filepath.Join(at, "link")); err != nil || target != "sub/f" {
		t.Errorf("link: %q, %v", target, err)
	}
	if _, err := os.Lstat(b.path("tree")); !os.IsNotExist(err) {
		t.Errorf("the source is still there: %v", err)
	}
}

func TestMoveBetweenMountsReplacesAsRenameDoes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := otherMount(t, b)
	file := filepath.Join(other, "f")
	full := filepath.Join(other, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.write("new", "new")
	if _, err := b.Move(b.ctx, &wire.MoveRequest{Source: "new", Destination: file}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
	b.write("dir/f", "kept")
	_, err := b.Move(b.ctx, &wire.MoveRequest{Source: "dir", Destination: full})
	codeIs(t, err, connect.CodeInternal, "error renaming")
	if _, err := os.Stat(b.path("dir/f")); err != nil {
		t.Errorf("a refused move lost its source: %v", err)
	}
}
