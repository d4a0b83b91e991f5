package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/metadata"
)

// copyTree copies files, directories and links with mode, times, owner and
// metadata. Anything else in the tree is an error.
func copyTree(ctx context.Context, source, destination string) error {
	c := &copying{ctx: ctx, source: source, destination: destination}
	if err := filepath.WalkDir(source, c.visit); err != nil {
		return err
	}
	return c.finishDirs()
}

type copying struct {
	ctx                 context.Context
	source, destination string
	dirs                []copied
}

// copied is a directory that gets its mode and times after its content.
type copied struct {
	from, to string
	info     fs.FileInfo
}

func (c *copying) visit(path string, entry fs.DirEntry, err error) error {
	if err == nil {
		err = c.ctx.Err()
	}
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(c.source, path)
	if err != nil {
		return err
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	return c.one(path, filepath.Join(c.destination, rel), info)
}

func (c *copying) one(from, to string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		c.dirs = append(c.dirs, copied{from: from, to: to, info: info})
		return os.Mkdir(to, 0o700)
	case info.Mode().IsRegular():
		return copyFile(from, to, info)
	case info.Mode()&fs.ModeSymlink != 0:
		return copyLink(from, to, info)
	}
	return fmt.Errorf("copy %s: is neither file, directory nor link", from)
}

func (c *copying) finishDirs() error {
	for _, dir := range slices.Backward(c.dirs) {
		if err := copyMeta(dir.from, dir.to, dir.info); err != nil {
			return err
		}
	}
	return nil
}

func copyLink(from, to string, info fs.FileInfo) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	if err := os.Symlink(target, to); err != nil {
		return err
	}
	return copyOwner(to, info)
}

func copyFile(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return copyMeta(from, to, info)
}

func copyMeta(from, to string, info fs.FileInfo) error {
	if err := copyOwner(to, info); err != nil {
		return err
	}
	if err := metadata.Replace(to, metadata.Read(from)); err != nil {
		return err
	}
	if err := os.Chmod(to, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(to, time.Time{}, info.ModTime())
}

func copyOwner(to string, info fs.FileInfo) error {
	uid, gid, ok := owner(info)
	if !ok || uid == os.Geteuid() && gid == os.Getegid() {
		return nil
	}
	return os.Lchown(to, uid, gid)
}
