package sandboxclient

import (
	"context"
	"errors"
	"iter"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// WatchEventType is what happened to a file.
type WatchEventType string

// The event types.
const (
	WatchCreate WatchEventType = "create"
	WatchWrite  WatchEventType = "write"
	WatchRemove WatchEventType = "remove"
	WatchRename WatchEventType = "rename"
	WatchChmod  WatchEventType = "chmod"
)

var watchEventTypes = map[filesystem.EventType]WatchEventType{
	filesystem.EventType_EVENT_TYPE_CREATE: WatchCreate,
	filesystem.EventType_EVENT_TYPE_WRITE:  WatchWrite,
	filesystem.EventType_EVENT_TYPE_REMOVE: WatchRemove,
	filesystem.EventType_EVENT_TYPE_RENAME: WatchRename,
	filesystem.EventType_EVENT_TYPE_CHMOD:  WatchChmod,
}

// WatchEvent is one change in a watched directory.
type WatchEvent struct {
	// Name is relative to the watched directory.
	Name string
	Type WatchEventType // "" for one that this package does not know
	// Entry describes the file, when it was asked for and was still there.
	Entry *Entry
}

// WatchOptions configure Watch; nil means the defaults.
type WatchOptions struct {
	User string
	// Recursive watches the directories below too. Needs envd 0.1.4.
	Recursive bool
	// IncludeEntry asks for WatchEvent.Entry. Needs envd 0.6.3, else it is
	// not filled.
	IncludeEntry bool
	// AllowNetworkMounts watches a network mount too. Needs envd 0.6.4.
	AllowNetworkMounts bool
}

// Watcher follows the changes in a directory. Close it.
type Watcher struct {
	sandbox *Sandbox
	stream  *connect.ServerStreamForClient[filesystem.WatchDirResponse]
	ctx     context.Context
	cancel  context.CancelCauseFunc
	dog     *watchdog
}

// Watch begins to watch a directory. What happens after it returns is not
// missed. ctx and Close end it. A missing directory is CodeNotFound, a file
// CodeInvalidArgument.
func (f *Files) Watch(ctx context.Context, path string, opts *WatchOptions) (*Watcher, error) {
	const op = "watch directory"
	if opts == nil {
		opts = &WatchOptions{}
	}
	s := f.sandbox
	if opts.Recursive && !s.version.atLeast(envdRecursive) {
		return nil, &Error{Op: op, Code: CodeUnsupported, SandboxID: s.ID, Message: "recursive watch needs envd 0.1.4, this sandbox has " + s.EnvdVersion}
	}
	w := &Watcher{sandbox: s}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.dog = newWatchdog(s.client.streamIdle, func() { w.cancel(errSilent) })
	request := &filesystem.WatchDirRequest{
		Path: path, Recursive: opts.Recursive, AllowNetworkMounts: opts.AllowNetworkMounts,
		IncludeEntry: opts.IncludeEntry && s.version.atLeast(envdIncludeEntry),
	}
	if err := s.envd.call(w.ctx, true, func() error { return w.open(op, opts.User, request) }); err != nil {
		w.end()
		return nil, err
	}
	w.dog.rest() // until Events waits
	return w, nil
}

// open waits for the start event.
func (w *Watcher) open(op, user string, request *filesystem.WatchDirRequest) error {
	err := w.sandbox.withCodec(func(c *rpcClients) error {
		stream, err := c.filesystem.WatchDir(w.sandbox.streamContext(w.ctx, user), request)
		if err != nil {
			return err
		}
		if !stream.Receive() {
			err := orElse(stream.Err(), errNoEnd)
			_ = stream.Close()
			return err
		}
		w.stream = stream
		return nil
	})
	if err != nil {
		return rpcError(op, w.sandbox.ID, ResourcePath, err)
	}
	return nil
}

// Events gives the changes as they come, until Close ends the sequence or an
// error does. A break is CodeOutcomeUnknown: changes may have been missed.
func (w *Watcher) Events() iter.Seq2[*WatchEvent, error] {
	return func(yield func(*WatchEvent, error) bool) {
		for w.dog.pet(); w.stream.Receive(); w.dog.pet() {
			w.dog.rest()
			event := w.stream.Msg().GetFilesystem()
			if event != nil && !yield(newWatchEvent(event), nil) {
				return
			}
		}
		if err := w.err(); err != nil {
			yield(nil, err)
		}
	}
}

func newWatchEvent(wire *filesystem.FilesystemEvent) *WatchEvent {
	e := &WatchEvent{Name: wire.GetName(), Type: watchEventTypes[wire.GetType()]}
	if entry := wire.GetEntry(); entry != nil {
		e.Entry = newEntry(entry)
	}
	return e
}

// err is why the stream ended; nil after Close.
func (w *Watcher) err() error {
	const op = "watch directory"
	cause := context.Cause(w.ctx)
	switch {
	case errors.Is(cause, errLeft):
		return nil
	case cause != nil && !errors.Is(cause, errSilent):
		return transportError(op, w.sandbox.ID, cause)
	case fromServer(w.stream.Err()):
		return rpcError(op, w.sandbox.ID, ResourcePath, w.stream.Err())
	default:
		return w.sandbox.cut(w.ctx, op, orElse(w.stream.Err(), errNoEnd))
	}
}

// Close ends the watch, and a loop over Events elsewhere.
func (w *Watcher) Close() error {
	w.end()
	return nil
}

func (w *Watcher) end() {
	w.dog.rest()
	w.cancel(errLeft)
}
