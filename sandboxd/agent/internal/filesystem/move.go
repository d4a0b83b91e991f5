package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/ownership"
)

// Move renames source to destination, whose parents are created. A file at
// the destination is replaced, a directory that is not empty is not.
func (s *Service) Move(ctx context.Context, req *filesystem.MoveRequest) (*filesystem.MoveResponse, error) {
	u, source, err := s.resolve(ctx, req.GetSource())
	if err != nil {
		return nil, err
	}
	_, destination, err := s.resolve(ctx, req.GetDestination())
	if err != nil {
		return nil, err
	}
	if err := present(source, destination); err != nil {
		return nil, err
	}
	if err := ownership.MakeDirs(u, filepath.Dir(destination)); err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error ensuring directories: %w", err))
	}
	if err := rename(ctx, source, destination); err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error renaming: %w", err))
	}
	entry, err := s.lookAt(destination)
	if err != nil {
		return nil, err
	}
	return &filesystem.MoveResponse{Entry: entry}, nil
}

// present makes a missing source the error that rename would give, before any
// parent of the destination is created.
func present(source, destination string) error {
	if _, err := os.Lstat(source); errors.Is(err, fs.ErrNotExist) {
		err = &os.LinkError{Op: "rename", Old: source, New: destination, Err: syscall.ENOENT}
		return connect.NewError(connect.CodeNotFound, fmt.Errorf("source file not found: %w", err))
	}
	return nil
}

// rename moves also between the mounts that a sandbox is made of, which for
// its user are one file system.
func rename(ctx context.Context, source, destination string) error {
	err := os.Rename(source, destination)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	if err := makeWay(destination); err != nil {
		return err
	}
	if err := copyTree(ctx, source, destination); err != nil {
		_ = os.RemoveAll(destination) // the source is still whole
		return err
	}
	return os.RemoveAll(source)
}

// makeWay removes what a rename would replace: a file, or an empty directory.
func makeWay(destination string) error {
	err := os.Remove(destination)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
