package state

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Remove deletes a tree even when its owner made directories in it
// inaccessible, as module caches and a plain chmod 000 do.
func Remove(path string) error {
	if err := os.RemoveAll(path); err == nil {
		return nil
	}
	openUp(path)
	return os.RemoveAll(path)
}

// openUp makes every directory writable, each before it is read.
func openUp(path string) {
	filepath.WalkDir(path, func(p string, entry fs.DirEntry, err error) error { //nolint:errcheck // what stays closed shows in RemoveAll
		if err != nil && entry == nil {
			return nil
		}
		if entry.IsDir() && err == nil {
			os.Chmod(p, 0o700) //nolint:errcheck // as above
		}
		return nil
	})
}
