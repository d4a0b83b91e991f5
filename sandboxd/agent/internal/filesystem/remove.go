package filesystem

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

var errRemoveRoot = errors.New("refusing to remove the root directory")

// Remove removes a path with all that is below; a missing path is no error.
func (s *Service) Remove(ctx context.Context, req *filesystem.RemoveRequest) (*filesystem.RemoveResponse, error) {
	_, path, err := s.resolve(ctx, req.GetPath())
	if err != nil {
		return nil, err
	}
	if clean := filepath.Clean(path); clean == filepath.Dir(clean) {
		return nil, connect.NewError(connect.CodeInvalidArgument, errRemoveRoot)
	}
	if err := os.RemoveAll(path); err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error removing file or directory: %w", err))
	}
	return &filesystem.RemoveResponse{}, nil
}
