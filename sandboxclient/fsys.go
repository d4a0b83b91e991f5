package sandboxclient

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// FS gives the tree below dir as an fs.FS, for reading. Every call on it is
// bounded by ctx. Its names are relative to dir, as fs.FS demands.
func (f *Files) FS(ctx context.Context, dir string, opts *FileOptions) fs.FS {
	return &fsys{files: f, ctx: ctx, dir: dir, user: opts.user()}
}

// fsys also reads whole files and directories in one call each.
type fsys struct {
	files *Files
	ctx   context.Context //nolint:containedctx // fs.FS has no place for it
	dir   string
	user  string
}

var (
	_ fs.StatFS     = (*fsys)(nil)
	_ fs.ReadDirFS  = (*fsys)(nil)
	_ fs.ReadFileFS = (*fsys)(nil)
)

// full is the path in the sandbox; name "." is dir itself.
func (s *fsys) full(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return path.Join(s.dir, name), nil
}

func (s *fsys) Stat(name string) (fs.FileInfo, error) {
	full, err := s.full("stat", name)
	if err != nil {
		return nil, err
	}
	entry, err := s.files.Stat(s.ctx, full, &FileOptions{User: s.user})
	if err != nil {
		return nil, pathError("stat", name, err)
	}
	return entryInfo{entry, path.Base(name)}, nil
}

func (s *fsys) ReadFile(name string) ([]byte, error) {
	full, err := s.full("read", name)
	if err != nil {
		return nil, err
	}
	content, err := s.files.Read(s.ctx, full, &ReadOptions{User: s.user})
	return content, pathError("read", name, err)
}

func (s *fsys) ReadDir(name string) ([]fs.DirEntry, error) {
	full, err := s.full("readdir", name)
	if err != nil {
		return nil, err
	}
	entries, err := s.files.List(s.ctx, full, &ListFilesOptions{User: s.user})
	if err != nil {
		return nil, pathError("readdir", name, err)
	}
	list := make([]fs.DirEntry, len(entries))
	for i, e := range entries {
		list[i] = fs.FileInfoToDirEntry(entryInfo{e, e.Name})
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (s *fsys) Open(name string) (fs.File, error) {
	info, err := s.Stat(name)
	if err != nil {
		return nil, renameOp("open", err)
	}
	if info.IsDir() {
		list, err := s.ReadDir(name)
		return &openDir{info: info, rest: list}, err
	}
	full, _ := s.full("open", name)
	r, err := s.files.Open(s.ctx, full, &ReadOptions{User: s.user})
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return &openFile{FileReader: r, info: info}, nil
}

// pathError makes err one that errors.Is(err, fs.ErrNotExist) understands.
func pathError(op, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case IsNotFound(err):
		err = errors.Join(fs.ErrNotExist, err)
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func renameOp(op string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		pe.Op = op
	}
	return err
}

// entryInfo is an Entry as fs.FileInfo.
type entryInfo struct {
	entry *Entry
	name  string
}

func (i entryInfo) Name() string       { return i.name }
func (i entryInfo) Size() int64        { return i.entry.Size }
func (i entryInfo) ModTime() time.Time { return i.entry.ModTime }
func (i entryInfo) IsDir() bool        { return i.Mode().IsDir() }
func (i entryInfo) Sys() any           { return i.entry }

func (i entryInfo) Mode() fs.FileMode {
	switch i.entry.Type {
	case EntryDirectory:
		return i.entry.Mode | fs.ModeDir
	case EntryFile:
		return i.entry.Mode
	case EntrySymlink:
		return i.entry.Mode | fs.ModeSymlink
	default:
		return i.entry.Mode | fs.ModeIrregular
	}
}

type openFile struct {
	*FileReader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

type openDir struct {
	info fs.FileInfo
	rest []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: errors.New("is a directory")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.rest)
	} else if len(d.rest) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.rest))
	list := d.rest[:n]
	d.rest = d.rest[n:]
	return list, nil
}
