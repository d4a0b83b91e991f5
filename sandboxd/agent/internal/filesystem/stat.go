package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// Stat describes one path without following a final link.
func (s *Service) Stat(ctx context.Context, req *filesystem.StatRequest) (*filesystem.StatResponse, error) {
	_, path, err := s.resolve(ctx, req.GetPath())
	if err != nil {
		return nil, err
	}
	entry, err := s.lookAt(path)
	if err != nil {
		return nil, err
	}
	return &filesystem.StatResponse{Entry: entry}, nil
}

func (s *Service) lookAt(path string) (*filesystem.EntryInfo, error) {
	entry, err := s.describer().entry(path)
	switch {
	case err == nil:
		return entry, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("file not found: %w", err))
	}
	return nil, connect.NewError(codeOf(err), fmt.Errorf("error getting file info: %w", err))
}
