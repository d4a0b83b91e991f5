package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/ownership"
)

// MakeDir creates a directory and its parents. That it exists is an error,
// which tells a client whether it was the one that made it.
func (s *Service) MakeDir(ctx context.Context, req *filesystem.MakeDirRequest) (*filesystem.MakeDirResponse, error) {
	u, path, err := s.resolve(ctx, req.GetPath())
	if err != nil {
		return nil, err
	}
	if err := vacant(path); err != nil {
		return nil, err
	}
	if err := ownership.MakeDirs(u, path); err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error creating directory: %w", err))
	}
	entry, err := s.lookAt(path)
	if err != nil {
		return nil, err
	}
	return &filesystem.MakeDirResponse{Entry: entry}, nil
}

func vacant(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return connect.NewError(codeOf(err), fmt.Errorf("error getting file info: %w", err))
	case info.IsDir():
		return connect.NewError(connect.CodeAlreadyExists, fmt.Errorf("directory already exists: %s", path))
	}
	return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("path already exists but it is not a directory: %s", path))
}
