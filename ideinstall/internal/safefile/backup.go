package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// keptBackups is how many copies of one file stay.
const keptBackups = 5

// Backup stores the content of the file in dir, readable by its owner only, and
// returns the copy's path. Only the newest copies of a file are kept.
func (f *File) Backup(dir string, now time.Time) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create backup directory: %w", err)
	}
	prefix := filepath.Join(dir, Key(f.Path)+"-"+filepath.Base(f.Path)+"-")
	name, file, err := createBackup(prefix, now.UTC())
	if err != nil {
		return "", fmt.Errorf("create backup: %w", err)
	}
	if err := writeAll(file, f.Bytes); err != nil {
		return "", fmt.Errorf("write backup: %w", err)
	}
	prune(dir, filepath.Base(prefix))
	return name, nil
}

// createBackup moves the time on by nanoseconds while the name is taken: two
// copies may be made within one tick of a coarse clock.
func createBackup(prefix string, now time.Time) (string, *os.File, error) {
	for i := time.Duration(0); ; i++ {
		name := prefix + now.Add(i).Format("20060102T150405.000000000Z")
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return name, file, err
		}
	}
}

// prune removes the oldest copies. Their names sort by time, as ReadDir does.
func prune(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	names := entries[:0]
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e)
		}
	}
	for len(names) > keptBackups {
		os.Remove(filepath.Join(dir, names[0].Name()))
		names = names[1:]
	}
}
