package filesystem

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// addTree watches dir and every directory below, and returns what is in them.
// What vanishes meanwhile is passed over.
func (w *watch) addTree(dir string) (entries []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return ignoreBelow(path, dir, err)
		}
		if path != dir {
			entries = append(entries, path)
		}
		if !entry.IsDir() {
			return nil
		}
		w.dirs[path] = true
		return ignoreBelow(path, dir, w.notify.Add(path))
	})
	return entries, err
}

// ignoreBelow keeps an error of the top directory only, and those that mean
// that the system's limit of watches is reached.
func ignoreBelow(path, top string, err error) error {
	if path != top && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return nil
	}
	return err
}

// told reports an event that was announced already.
func (w *watch) told(ev fsnotify.Event) bool {
	switch {
	case ev.Has(fsnotify.Create):
		known := w.found[ev.Name]
		delete(w.found, ev.Name)
		delete(w.left, ev.Name)
		return known
	case ev.Has(fsnotify.Rename):
		known := w.left[ev.Name]
		delete(w.left, ev.Name)
		return known
	}
	return false
}

// enter begins to watch a new directory. What is in it already is announced
// here, since its notifications may have come before the watch.
func (w *watch) enter(path string) bool {
	if !isDir(path) {
		return true
	}
	entries, err := w.addTree(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.err = err
		return false
	}
	if len(w.found) > backlog {
		clear(w.found) // at worst something is announced twice
	}
	for _, entry := range entries {
		w.found[entry] = true
		if !w.emit(entry, filesystem.EventType_EVENT_TYPE_CREATE) {
			return false
		}
	}
	return true
}

// dropTree stops watching what was moved out of the tree: its notifications
// would carry names that are no longer true.
func (w *watch) dropTree(path string) {
	for dir := range w.dirs {
		if dir == path || strings.HasPrefix(dir, path+string(filepath.Separator)) {
			delete(w.dirs, dir)
			_ = w.notify.Remove(dir) // removed directories are gone already
		}
	}
}
