package state

import (
	"io/fs"
	"path/filepath"
)

// Size adds up the files of a tree, in bytes. What cannot be read counts
// nothing.
func Size(path string) int64 {
	var total int64
	filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error { //nolint:errcheck // see above
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
