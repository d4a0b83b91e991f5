package cp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func (t *transfer) upload(ctx context.Context, from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	to, err = t.intoRemote(ctx, to, baseName(from))
	if err != nil {
		return err
	}
	if info.IsDir() {
		return t.uploadTree(ctx, from, to)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", from)
	}
	return t.uploadFile(ctx, from, to, info)
}

// baseName is the name of a path, also when it is written as "." or "dir/..".
func baseName(p string) string {
	if abs, err := filepath.Abs(p); err == nil {
		p = abs
	}
	return filepath.Base(p)
}

func (t *transfer) intoRemote(ctx context.Context, to, name string) (string, error) {
	if strings.HasSuffix(to, "/") {
		return path.Join(to, name), nil
	}
	entry, err := t.sandbox.Files.Stat(ctx, to, t.options())
	switch {
	case sandboxclient.IsNotFound(err):
		return to, nil
	case err != nil:
		return "", err
	case entry.Type == sandboxclient.EntryDirectory:
		return path.Join(to, name), nil
	}
	return to, nil
}

func (t *transfer) options() *sandboxclient.FileOptions {
	return &sandboxclient.FileOptions{User: t.user}
}

func (t *transfer) uploadTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		target := path.Join(to, filepath.ToSlash(rel))
		switch {
		case d.IsDir():
			return t.makeDir(ctx, target)
		case d.Type()&fs.ModeSymlink != 0:
			t.skip(p, "a symbolic link")
			return nil
		case !d.Type().IsRegular():
			t.skip(p, "not a regular file")
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return t.uploadFile(ctx, p, target, info)
	})
}

func (t *transfer) makeDir(ctx context.Context, dir string) error {
	err := t.sandbox.Files.MakeDir(ctx, dir, t.options())
	if sandboxclient.CodeOf(err) == sandboxclient.CodeAlreadyExists {
		return nil
	}
	return err
}

func (t *transfer) uploadFile(ctx context.Context, from, to string, info fs.FileInfo) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	unfinished := partial(to)
	watched, done := t.watch(in, from, info.Size())
	_, err = t.sandbox.Files.WriteFrom(ctx, unfinished, watched, &sandboxclient.WriteOptions{User: t.user})
	done()
	if err == nil && info.Mode()&0o111 != 0 {
		err = t.makeExecutable(ctx, unfinished)
	}
	if err == nil {
		_, err = t.sandbox.Files.Move(ctx, unfinished, to, t.options())
	}
	if err != nil {
		return errors.Join(err, t.sandbox.Files.Remove(context.WithoutCancel(ctx), unfinished, t.options()))
	}
	t.copied(info.Size())
	return nil
}

// makeExecutable uses a command: the protocol has no call for it.
func (t *transfer) makeExecutable(ctx context.Context, file string) error {
	result, err := t.sandbox.Commands.Run(ctx, "chmod +x -- "+cmdutil.ShellQuote(file), &sandboxclient.RunOptions{User: t.user})
	if err == nil && result.ExitCode != 0 {
		err = fmt.Errorf("chmod +x %s: %s", file, result.Stderr)
	}
	return err
}
