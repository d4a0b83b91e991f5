package filesystem

import (
	"errors"
	"path/filepath"
	"sync"

	"connectrpc.com/connect"
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

// close ends the watch and waits for it.
func (w *watch) close() {
	w.once.Do(func() { close(w.stop) })
	<-w.done
}

// failure is why events was closed, as an error of the call.
func (w *watch) failure() error { return failed(w.err) }

func failed(err error) error {
	if errors.Is(err, errOverflow) {
		return connect.NewError(connect.CodeResourceExhausted, err)
	}
	return connect.NewError(connect.CodeInternal, err)
}

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
