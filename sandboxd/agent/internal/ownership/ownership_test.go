package ownership_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/ownership"
)

func self() *account.User {
	return &account.User{Name: "user", UID: os.Geteuid(), GID: os.Getegid()}
}

func TestMakeDirs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := filepath.Join(root, "a", "b", "c")
	for range 2 { // what exists is left alone
		if err := ownership.MakeDirs(self(), at); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Symlink("a", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := ownership.MakeDirs(self(), filepath.Join(root, "link", "d")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "a", "d")); err != nil {
		t.Errorf("through a link: %v", err)
	}
}

func TestMakeDirsNamesTheFileInTheWay(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "x"), filepath.Join(file, "x", "y")} {
		err := ownership.MakeDirs(self(), path)
		var notDir *ownership.NotDirError
		if !errors.As(err, &notDir) || notDir.Path != file {
			t.Errorf("MakeDirs(%q): %v", path, err)
		}
	}
}

func TestFilesOfRootGoToTheUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	root := t.TempDir()
	u := &account.User{Name: "user", UID: 4001, GID: 4002}
	if err := ownership.MakeDirs(u, filepath.Join(root, "a", "b")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"a", "a/b"} {
		if uid, gid := owner(t, filepath.Join(root, path)); uid != 4001 || gid != 4002 {
			t.Errorf("%s belongs to %d:%d", path, uid, gid)
		}
	}
	if uid, _ := owner(t, root); uid == 4001 {
		t.Error("a directory that existed was given away")
	}
}
