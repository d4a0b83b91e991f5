package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/keepalive"
)

// observe makes a watch of the directory at path.
func (s *Service) observe(ctx context.Context, path string, recursive, withEntry bool) (*watch, error) {
	_, abs, err := s.resolve(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := watchable(abs); err != nil {
		return nil, err
	}
	w, err := newWatch(abs, recursive)
	if err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error creating watcher: %w", err))
	}
	if withEntry && s.opts.Modern {
		w.describe = func(path string) *filesystem.EntryInfo {
			entry, err := s.describer().entry(path)
			if err != nil {
				return nil // gone by now
			}
			return entry
		}
	}
	return w, nil
}

func watchable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return connect.NewError(connect.CodeNotFound, fmt.Errorf("path %s not found: %w", path, err))
	case err != nil:
		return connect.NewError(codeOf(err), fmt.Errorf("error statting path %s: %w", path, err))
	case !info.IsDir():
		return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("path %s not a directory", path))
	}
	return nil
}

type watchStream = connect.ServerStream[filesystem.WatchDirResponse]

// WatchDir sends the events of a directory until the client leaves or its
// deadline comes.
func (s *Service) WatchDir(ctx context.Context, req *filesystem.WatchDirRequest, out *watchStream) error {
	w, err := s.observe(ctx, req.GetPath(), req.GetRecursive(), req.GetIncludeEntry())
	if err != nil {
		return err
	}
	defer w.close()
	start := &filesystem.WatchDirResponse_Start{Start: &filesystem.WatchDirResponse_StartEvent{}}
	if err := out.Send(&filesystem.WatchDirResponse{Event: start}); err != nil {
		return err
	}
	return relay(ctx, w, out, keepalive.Interval(ctx))
}

func relay(ctx context.Context, w *watch, out *watchStream, interval time.Duration) error {
	idle := time.NewTimer(interval)
	defer idle.Stop()
	for {
		msg, err := next(ctx, w, idle)
		if err != nil {
			return err
		}
		if err := out.Send(msg); err != nil {
			return err
		}
		idle.Reset(interval)
	}
}

func next(ctx context.Context, w *watch, idle *time.Timer) (*filesystem.WatchDirResponse, error) {
	select {
	case ev, ok := <-w.events:
		if !ok {
			return nil, w.failure()
		}
		return &filesystem.WatchDirResponse{Event: &filesystem.WatchDirResponse_Filesystem{Filesystem: ev}}, nil
	case <-idle.C:
		return &filesystem.WatchDirResponse{
			Event: &filesystem.WatchDirResponse_Keepalive{Keepalive: &filesystem.WatchDirResponse_KeepAlive{}},
		}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
