// Package state keeps the directories of sandboxes: private, locked by the
// process that owns them, and swept by the next one if that process died.
package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	lockName  = "lock"
	newPrefix = ".new-"
	// grace is how long a directory without a lock may be one that is being
	// made.
	grace = time.Minute
)

// Store is the directory of one owner; the sandboxes' directories lie in it.
type Store struct {
	path string
	lock *os.File
	once sync.Once
	// Prune makes Close remove the directories above, too, when they are
	// empty: for a base that nobody named.
	Prune bool
}

// Open makes a store below base (created when missing) and locks it until
// Close. mode is the mode of base: 0711 lets another user reach a path below.
func Open(base string, mode os.FileMode) (s *Store, err error) {
	for range 3 { // another server may remove the empty base at this moment
		if s, err = open(base, mode); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return s, err
}

func open(base string, mode os.FileMode) (*Store, error) {
	if err := private(base, mode); err != nil {
		return nil, err
	}
	fresh, err := os.MkdirTemp(base, newPrefix)
	if err != nil {
		return nil, fmt.Errorf("make state directory: %w", err)
	}
	s := &Store{path: filepath.Join(base, strings.TrimPrefix(filepath.Base(fresh), newPrefix))}
	if err := s.claim(fresh, mode); err != nil {
		os.RemoveAll(fresh)
		return nil, err
	}
	return s, nil
}

func (s *Store) claim(fresh string, mode os.FileMode) (err error) {
	if err := os.Chmod(fresh, mode); err != nil {
		return err
	}
	s.lock, err = os.OpenFile(filepath.Join(fresh, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if !tryLock(s.lock) {
		return fmt.Errorf("lock %s: held by another process", s.lock.Name())
	}
	return os.Rename(fresh, s.path)
}

// private makes the directory or checks that it is this user's own.
func private(base string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return fmt.Errorf("make state directory: %w", err)
	}
	err := os.Mkdir(base, mode)
	if err == nil {
		return os.Chmod(base, mode)
	}
	if !os.IsExist(err) {
		return fmt.Errorf("make state directory: %w", err)
	}
	return checkOwner(base)
}

// Path is the store's directory, which exists until Close or, when this
// process dies, until a Sweep.
func (s *Store) Path() string { return s.path }

// Make creates the directory of one sandbox, 0700.
func (s *Store) Make(id string) (string, error) {
	path := filepath.Join(s.path, id)
	if err := os.Mkdir(path, 0o700); err != nil {
		return "", fmt.Errorf("make sandbox directory: %w", err)
	}
	return path, nil
}

// Close gives the store up and removes what is left of it.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		err = Remove(s.path)
		s.lock.Close()
		if s.Prune {
			prune(filepath.Dir(s.path))
		}
	})
	return err
}

// prune removes the base and the directory of this program above it. One that
// is not empty stays.
func prune(base string) {
	if os.Remove(base) == nil && filepath.Base(filepath.Dir(base)) == programDir {
		os.Remove(filepath.Dir(base)) //nolint:errcheck // see above
	}
}

// Sweep removes the stores below base whose owner is gone. before, when not
// nil, is called with the directory of each sandbox that is removed.
func Sweep(base string, before func(dir string)) error {
	entries, err := os.ReadDir(base)
	if err != nil {
		return fmt.Errorf("list state directory: %w", err)
	}
	for _, entry := range entries {
		sweepOne(filepath.Join(base, entry.Name()), before)
	}
	return nil
}

func sweepOne(path string, before func(dir string)) {
	lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR, 0)
	if err != nil {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > grace {
			Remove(path) //nolint:errcheck // the next sweep tries again
		}
		return
	}
	defer lock.Close()
	if !ownerGone(lock) {
		return
	}
	for _, dir := range sandboxDirs(path) {
		if before != nil {
			before(dir)
		}
	}
	Remove(path) //nolint:errcheck // the next sweep tries again
}

func sandboxDirs(store string) []string {
	entries, _ := os.ReadDir(store)
	var dirs []string
	for _, entry := range entries {
		if entry.IsDir() {
			dirs = append(dirs, filepath.Join(store, entry.Name()))
		}
	}
	return dirs
}
