package modproxy

import (
	"io"
	"os"
	"path/filepath"
)

// Copy writes to dst the files that a release of the module directory src would
// hold, so that a command may change them without touching the tree.
func Copy(dst, src string) error {
	files, err := tracked(src)
	if err != nil {
		return err
	}
	for _, f := range files {
		in, err := f.Open()
		if err != nil {
			return err
		}
		err = write(filepath.Join(dst, filepath.FromSlash(f.Path())), in)
		_ = in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func write(path string, in io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	return err
}
