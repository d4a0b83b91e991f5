package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// ListDir lists a directory, parents before children, names in order. A link
// in the path itself is followed, links inside are not; entries carry the path
// as it was asked for (envd contract: ListDir).
func (s *Service) ListDir(ctx context.Context, req *filesystem.ListDirRequest) (*filesystem.ListDirResponse, error) {
	_, path, err := s.resolve(ctx, req.GetPath())
	if err != nil {
		return nil, err
	}
	root, err := directory(path)
	if err != nil {
		return nil, err
	}
	w := &walk{d: s.describer(), asked: path, root: root, depth: max(1, int(req.GetDepth()))}
	if err := filepath.WalkDir(root, w.visit); err != nil {
		return nil, connect.NewError(codeOf(err), fmt.Errorf("error reading directory %s: %w", path, err))
	}
	return &filesystem.ListDirResponse{Entries: w.entries}, nil
}

// directory resolves the links of path and insists on a directory.
func directory(path string) (string, error) {
	root, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", connect.NewError(connect.CodeNotFound, fmt.Errorf("path not found: %w", err))
	}
	if err != nil {
		return "", connect.NewError(codeOf(err), fmt.Errorf("error resolving path: %w", err))
	}
	info, err := os.Stat(root)
	if err != nil {
		return "", connect.NewError(codeOf(err), fmt.Errorf("error getting file info: %w", err))
	}
	if !info.IsDir() {
		return "", connect.NewError(connect.CodeInvalidArgument, fmt.Errorf("path is not a directory: %s", path))
	}
	return root, nil
}

type walk struct {
	d           *describer
	asked, root string
	depth       int
	entries     []*filesystem.EntryInfo
}

// visit collects one entry. What vanishes or cannot be read below the root is
// passed over: the rest of the listing is still true.
func (w *walk) visit(path string, found fs.DirEntry, err error) error {
	if path == w.root {
		return err
	}
	if err != nil {
		return nil // its own entry was collected before its content failed
	}
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return err
	}
	if info, err := found.Info(); err == nil {
		w.entries = append(w.entries, w.d.of(filepath.Join(w.asked, rel), info))
	}
	if found.IsDir() && 1+strings.Count(rel, string(filepath.Separator)) >= w.depth {
		return fs.SkipDir
	}
	return nil
}
