// Package safefile replaces a file that another program owns and may be reading
// or writing: whole or not at all, through links, with its owner and mode kept,
// and never over a change that was made in the meantime.
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxSize bounds what is read as a configuration file. Real ones are far below;
// the bound keeps a wrong path from filling the memory.
const maxSize = 64 << 20

// ErrChanged reports that the file is no longer what it was when it was read.
var ErrChanged = errors.New("file changed in the meantime")

// File is a configuration file as it was found.
type File struct {
	Path   string // after links
	Exists bool
	Bytes  []byte
	Mode   fs.FileMode // permission bits; 0 when it does not exist
	info   fs.FileInfo
}

// Open reads the file at path, following links, also one that leads nowhere yet.
// Only regular files are opened: reading a pipe or a device could block.
func Open(path string) (*File, error) {
	real, err := resolve(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Path: real}, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is a %s, not a regular file", typeName(info.Mode()))
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("it has %d bytes, more than a configuration file may have (%d)", info.Size(), maxSize)
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return nil, err
	}
	return &File{Path: real, Exists: true, Bytes: data, Mode: info.Mode().Perm(), info: info}, nil
}

func typeName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// resolve follows the links of the last element, so that the link stays and its
// target is replaced.
func resolve(path string) (string, error) {
	for range 40 {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", errors.New("too many links")
}

// Writable reports why the file may not be replaced, nil when it may.
func (f *File) Writable() error {
	if f.Exists && f.Mode&0o200 == 0 {
		return errors.New("it is read-only")
	}
	return nil
}

// unchanged compares the file with what Open saw, by content: a time stamp can
// be equal after a change within its resolution.
func (f *File) unchanged() error {
	now, err := Open(f.Path)
	if err != nil {
		return err
	}
	if now.Exists != f.Exists || !bytes.Equal(now.Bytes, f.Bytes) {
		return ErrChanged
	}
	return nil
}
