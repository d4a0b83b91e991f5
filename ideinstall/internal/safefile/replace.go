package safefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// tempPrefix marks the temporary files of Replace. A killed process may leave
// one; the next Replace in that directory removes those older than staleAfter.
const (
	tempPrefix = ".abx-"
	staleAfter = time.Hour
)

// ReplaceOptions says how Replace writes.
type ReplaceOptions struct {
	// NewMode is the mode of a file that did not exist, less the umask.
	NewMode fs.FileMode
	// DirMode is the mode of directories that are missing.
	DirMode fs.FileMode
	// Private takes all access from group and others.
	Private bool
}

// Replace makes data the content of the file: a temporary file beside it is
// written, synced and renamed over it. It fails with ErrChanged when the file is
// not what Open saw.
func (f *File) Replace(data []byte, o *ReplaceOptions) error {
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, o.DirMode); err != nil {
		return fmt.Errorf("create directory: %w", err)
	}
	removeStale(dir)
	temp, err := f.writeTemp(dir, data, o)
	if err != nil {
		return fmt.Errorf("write beside %s: %w", f.Path, err)
	}
	if err := f.unchanged(); err != nil {
		os.Remove(temp)
		return err
	}
	if err := os.Rename(temp, f.Path); err != nil {
		os.Remove(temp)
		return err
	}
	// The content is in place. Where a directory cannot be synced, which some
	// network file systems refuse, only a power cut could undo the rename.
	_ = syncDir(dir)
	return nil
}

// Remove deletes the file unless it changed since Open.
func (f *File) Remove() error {
	if err := f.unchanged(); err != nil {
		return err
	}
	return os.Remove(f.Path)
}

// writeTemp returns the name of a synced file with the final owner and mode. It
// is private from its first byte on.
func (f *File) writeTemp(dir string, data []byte, o *ReplaceOptions) (string, error) {
	mode := f.finalMode(o)
	name, file, err := createTemp(dir, mode)
	if err != nil {
		return "", err
	}
	err = writeAll(file, data)
	if err == nil && f.Exists {
		err = f.keep(name, mode)
	}
	if err != nil {
		os.Remove(name)
		return "", err
	}
	return name, nil
}

func (f *File) finalMode(o *ReplaceOptions) fs.FileMode {
	mode := f.Mode
	if !f.Exists {
		mode = o.NewMode
	}
	if o.Private {
		mode &^= 0o077
	}
	return mode
}

// createTemp opens a new file with the umask applied; os.CreateTemp would give
// 0600 and leave the umask out of a later chmod.
func createTemp(dir string, mode fs.FileMode) (string, *os.File, error) {
	for i := 0; ; i++ {
		name := filepath.Join(dir, fmt.Sprintf("%s%d-%d", tempPrefix, os.Getpid(), time.Now().UnixNano()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
		if err == nil || !os.IsExist(err) || i == 100 {
			return name, file, err
		}
	}
}

func writeAll(file *os.File, data []byte) error {
	_, err := file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

// keep gives the temporary file the owner and mode of the file it replaces. The
// owner goes first: chown may clear bits.
func (f *File) keep(name string, mode fs.FileMode) error {
	if err := keepOwner(name, f.info); err != nil {
		return fmt.Errorf("keep the owner: %w", err)
	}
	return os.Chmod(name, mode)
}

func removeStale(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
