package filesystem_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	wire "github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem/filesystemconnect"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// bench is a service with a client and a home for its user.
type bench struct {
	filesystemconnect.FilesystemClient
	t    *testing.T
	svc  *filesystem.Service
	home string
	ctx  context.Context
}

func newBench(t *testing.T) *bench {
	t.Helper()
	home := t.TempDir()
	u := account.User{Name: "user", UID: os.Geteuid(), GID: os.Getegid(), Home: home}
	svc := filesystem.New(&filesystem.Options{
		Settings: settings.New(settings.Values{}), Users: &account.Table{Known: []account.User{u}}, Modern: true,
	})
	_, handler := filesystemconnect.NewFilesystemHandler(svc)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(account.NewContext(r.Context(), &u)))
	}))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(func() {
		svc.Close()
		cancel()
		srv.Close()
	})
	client := filesystemconnect.NewFilesystemClient(srv.Client(), srv.URL)
	return &bench{FilesystemClient: client, t: t, svc: svc, home: home, ctx: ctx}
}

func (b *bench) path(name string) string { return filepath.Join(b.home, name) }

func (b *bench) write(name, content string) string {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return b.path(name)
}

func (b *bench) symlink(target, name string) {
	b.t.Helper()
	if err := os.Symlink(target, b.path(name)); err != nil {
		b.t.Fatal(err)
	}
}

func codeIs(t *testing.T, err error, want connect.Code, text string) {
	t.Helper()
	if err == nil || connect.CodeOf(err) != want || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want code %v with %q", err, want, text)
	}
}

func names(entries []*wire.EntryInfo) string {
	var list []string
	for _, e := range entries {
		list = append(list, e.GetName())
	}
	return strings.Join(list, " ")
}

func TestStatDescribesLinks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("f", "hello")
	if err := os.Chmod(b.path("f"), 0o640); err != nil {
		t.Fatal(err)
	}
	b.symlink("f", "link")
	b.symlink("no/such", "dangling")
	res, err := b.Stat(b.ctx, &wire.StatRequest{Path: "link"})
	if err != nil {
		t.Fatal(err)
	}
	e := res.GetEntry()
	if e.GetType() != wire.FileType_FILE_TYPE_FILE || e.GetMode() != 0o640 || e.GetSize() != 1 ||
		e.GetPermissions() != "Lrwxrwxrwx" || e.GetSymlinkTarget() != b.path("f") || e.GetOwner() != "user" || e.GetGroup() != "user" {
		t.Errorf("link: %v", e)
	}
	res, err = b.Stat(b.ctx, &wire.StatRequest{Path: "dangling"})
	if err != nil {
		t.Fatal(err)
	}
	if e := res.GetEntry(); e.GetType() != 0 || e.GetMode() != 0 || e.GetSymlinkTarget() != b.path("dangling") {
		t.Errorf("dangling link: %v", e)
	}
}

func TestListDirOrderAndDepth(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, name := range []string{"b", "a/x/deep", "a/y", ".hidden"} {
		b.write(name, "")
	}
	b.symlink("a", "z-link")
	for depth, want := range map[uint32]string{
		0: ".hidden a b z-link",
		1: ".hidden a b z-link",
		2: ".hidden a x y b z-link",
		9: ".hidden a x deep y b z-link",
	} {
		res, err := b.ListDir(b.ctx, &wire.ListDirRequest{Path: "~", Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(res.GetEntries()); got != want {
			t.Errorf("depth %d: %q, want %q", depth, got, want)
		}
	}
	res, err := b.ListDir(b.ctx, &wire.ListDirRequest{Path: "z-link"})
	if err != nil || len(res.GetEntries()) != 2 || res.GetEntries()[0].GetPath() != b.path("z-link/x") {
		t.Errorf("listing through a link: %v, %v", res, err)
	}
}

func TestListDirPassesOverWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root can read every directory; `nobody` runs this one")
	}
	b := newBench(t)
	b.write("shut/inside", "")
	b.write("tail", "")
	if err := os.Chmod(b.path("shut"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(b.path("shut"), 0o755)
	res, err := b.ListDir(b.ctx, &wire.ListDirRequest{Path: b.home, Depth: 3})
	if err != nil || names(res.GetEntries()) != "shut tail" {
		t.Errorf("%q, %v; want the unreadable directory and what follows", names(res.GetEntries()), err)
	}
	_, err = b.ListDir(b.ctx, &wire.ListDirRequest{Path: b.path("shut")})
	codeIs(t, err, connect.CodePermissionDenied, "shut")
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := b.write("f", "x")
	stat := func(path string) error { _, err := b.Stat(b.ctx, &wire.StatRequest{Path: path}); return err }
	list := func(path string) error { _, err := b.ListDir(b.ctx, &wire.ListDirRequest{Path: path}); return err }
	makeDir := func(path string) error { _, err := b.MakeDir(b.ctx, &wire.MakeDirRequest{Path: path}); return err }
	remove := func(path string) error { _, err := b.Remove(b.ctx, &wire.RemoveRequest{Path: path}); return err }
	move := func(path string) error {
		_, err := b.Move(b.ctx, &wire.MoveRequest{Source: path, Destination: "fresh/parent/x"})
		return err
	}
	for _, tt := range []struct {
		call func(string) error
		path string
		code connect.Code
		text string
	}{
		{stat, "no", connect.CodeNotFound, "file not found: lstat " + b.path("no")},
		{stat, "~bob/x", connect.CodeInvalidArgument, "cannot expand user-specific home dir"},
		{stat, "f/x", connect.CodeInternal, "not a directory"},
		{list, "no", connect.CodeNotFound, "path not found"},
		{list, "f", connect.CodeInvalidArgument, "path is not a directory: " + file},
		{makeDir, "", connect.CodeAlreadyExists, "directory already exists: " + b.home},
		{makeDir, "f", connect.CodeInvalidArgument, "not a directory: " + file},
		{makeDir, "f/x", connect.CodeInternal, "not a directory"},
		{remove, "f/x", connect.CodeInternal, "not a directory"},
		{remove, "/", connect.CodeInvalidArgument, "root"},
		{remove, "/tmp/..", connect.CodeInvalidArgument, "root"},
		{move, "no", connect.CodeNotFound, "source file not found: rename " + b.path("no")},
	} {
		codeIs(t, tt.call(tt.path), tt.code, tt.text)
	}
	if _, err := os.Stat(b.path("fresh")); err == nil {
		t.Error("a refused move left parents of its destination behind")
	}
}

func TestMakeMoveRemove(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made, err := b.MakeDir(b.ctx, &wire.MakeDirRequest{Path: "a/b c/ü\nx"})
	if err != nil || made.GetEntry().GetPath() != b.path("a/b c/ü\nx") || made.GetEntry().GetType() != wire.FileType_FILE_TYPE_DIRECTORY {
		t.Fatalf("make: %v, %v", made, err)
	}
	b.write("a/b c/ü\nx/f", "content")
	moved, err := b.Move(b.ctx, &wire.MoveRequest{Source: "a", Destination: "new/parent/a"})
	if err != nil || moved.GetEntry().GetName() != "a" {
		t.Fatalf("move: %v, %v", moved, err)
	}
	if got, err := os.ReadFile(b.path("new/parent/a/b c/ü\nx/f")); err != nil || string(got) != "content" {
		t.Fatalf("after the move: %q, %v", got, err)
	}
	for range 2 { // the second finds nothing, which is no error
		if _, err := b.Remove(b.ctx, &wire.RemoveRequest{Path: "new"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(b.path("new")); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}

func TestRemoveDoesNotFollowLinks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("kept/f", "x")
	b.symlink("kept", "link")
	if _, err := b.Remove(b.ctx, &wire.RemoveRequest{Path: "link"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(b.path("kept/f")); err != nil {
		t.Error(err)
	}
}
