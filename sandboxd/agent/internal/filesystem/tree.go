package filesystem

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/fsnotify/fsnotify"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// watch turns the notifications of one directory, or of the tree below it,
// into events. events is closed when it failed or was closed.
type watch struct {
	root      string
	recursive bool
	describe  func(path string) *filesystem.EntryInfo // nil: events without entry

	notify *fsnotify.Watcher
	events chan *filesystem.FilesystemEvent
	stop   chan struct{}
	once   sync.Once
	done   chan struct{}

	// dirs are the directories of the tree that are watched.
	dirs map[string]bool
	// found are entries of new directories that were announced before their
	// own notification came.
	found map[string]bool
	// left are directories that were moved away: the kernel tells it twice,
	// for the entry and for the directory itself.
	left map[string]bool
	err  error // set before events is closed
}

// errOverflow tells a client that its picture of the tree is not complete.
var errOverflow = errors.New("events were lost: too many changes at once")

func newWatch(root string, recursive bool) (*watch, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watch{
		root: root, recursive: recursive, notify: notify, found: map[string]bool{}, left: map[string]bool{},
		dirs:   map[string]bool{},
		events: make(chan *filesystem.FilesystemEvent),
		stop:   make(chan struct{}), done: make(chan struct{}),
	}
	if err := w.add(); err != nil {
		_ = notify.Close()
		return nil, err
	}
	go w.run()
	return w, nil
}

func (w *watch) add() error {
	if !w.recursive {
		return w.notify.Add(w.root)
	}
	_, err := w.addTree(w.root)
	return err
}

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

// close ends the watch and waits for it.
func (w *watch) close() {
	w.once.Do(func() { close(w.stop) })
	<-w.done
}

// failure is why events was closed.
func (w *watch) failure() error { return w.err }

func (w *watch) run() {
	defer close(w.done)
	defer close(w.events)
	defer w.notify.Close()
	for {
		select {
		case ev, ok := <-w.notify.Events:
			if !ok || !w.handle(ev) {
				return
			}
		case err := <-w.notify.Errors:
			w.err = reason(err)
			return
		case <-w.stop:
			w.err = errors.New("the watch was ended")
			return
		}
	}
}

func reason(err error) error {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		return errOverflow
	}
	return err
}

// handle reports false when the watch was stopped.
func (w *watch) handle(ev fsnotify.Event) bool {
	if w.told(ev) {
		return true
	}
	for _, kind := range kinds(ev.Op) {
		if !w.emit(ev.Name, kind) {
			return false
		}
	}
	if !w.recursive {
		return true
	}
	if ev.Has(fsnotify.Rename) || ev.Has(fsnotify.Remove) {
		if ev.Has(fsnotify.Rename) && w.dirs[ev.Name] {
			w.left[ev.Name] = true
		}
		w.dropTree(ev.Name)
		delete(w.found, ev.Name)
	}
	return !ev.Has(fsnotify.Create) || w.enter(ev.Name)
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

func (w *watch) emit(path string, kind filesystem.EventType) bool {
	name, err := filepath.Rel(w.root, path)
	if err != nil {
		name = path
	}
	ev := &filesystem.FilesystemEvent{Name: name, Type: kind}
	if w.describe != nil {
		ev.Entry = w.describe(path)
	}
	select {
	case w.events <- ev:
		return true
	case <-w.stop:
		return false
	}
}
