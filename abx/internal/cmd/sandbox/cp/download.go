package cp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func (t *transfer) download(ctx context.Context, from, to string) error {
	entry, err := t.sandbox.Files.Stat(ctx, from, nil)
	if err != nil {
		return err
	}
	to = into(to, path.Base(path.Clean(from)))
	if entry.Type == sandboxclient.EntryDirectory {
		return t.downloadTree(ctx, from, to)
	}
	root, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return t.downloadFile(ctx, from, root, filepath.Base(to), entry)
}

// into is where name goes: below a destination that is a directory or is
// written as one, else to the destination itself.
func into(to, name string) string {
	if info, err := os.Stat(to); (err == nil && info.IsDir()) || strings.HasSuffix(to, string(filepath.Separator)) || strings.HasSuffix(to, "/") {
		return filepath.Join(to, name)
	}
	return to
}

// downloadTree copies a directory. The sandbox is not trusted: everything goes
// through a root that no name and no link leads out of.
func (t *transfer) downloadTree(ctx context.Context, from, to string) error {
	entries, err := t.sandbox.Files.List(ctx, from, &sandboxclient.ListFilesOptions{Depth: math.MaxInt32})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, e := range entries {
		if err := t.downloadEntry(ctx, from, root, e); err != nil {
			return err
		}
	}
	return nil
}

func (t *transfer) downloadEntry(ctx context.Context, from string, root *os.Root, e *sandboxclient.Entry) error {
	name := filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(e.Path, path.Clean(from)), "/"))
	switch {
	case !filepath.IsLocal(name):
		return fmt.Errorf("the sandbox lists %q, which is not below %q", e.Path, from)
	case e.IsSymlink():
		t.skip(e.Path, "a symbolic link")
		return nil
	case e.Type == sandboxclient.EntryDirectory:
		return root.MkdirAll(name, 0o755)
	case e.Type != sandboxclient.EntryFile:
		t.skip(e.Path, "not a regular file")
		return nil
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return t.downloadFile(ctx, e.Path, root, name, e)
}

func (t *transfer) downloadFile(ctx context.Context, from string, root *os.Root, name string, e *sandboxclient.Entry) (err error) {
	in, err := t.sandbox.Files.Open(ctx, from, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	unfinished := partial(name)
	out, err := root.OpenFile(unfinished, os.O_CREATE|os.O_EXCL|os.O_WRONLY, permission(e))
	if err != nil {
		return err
	}
	watched, done := t.watch(in, from, in.Size)
	n, err := io.Copy(out, watched)
	done()
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, root.Remove(unfinished))
	}
	t.copied(n)
	return root.Rename(unfinished, name)
}

// permission keeps the execute bits and nothing that would let others write.
func permission(e *sandboxclient.Entry) fs.FileMode {
	if e.Mode.Perm()&0o111 != 0 {
		return 0o755
	}
	return 0o644
}
