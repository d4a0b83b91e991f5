package mcpserver

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// listFilesOutput is the structured result of list_files.
type listFilesOutput struct {
	Files     []listedFile `json:"files"`
	Total     int          `json:"total"`
	Truncated bool         `json:"truncated"`
	SandboxID string       `json:"sandbox_id"`
	noted
}

type listedFile struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Type   string `json:"type"` // file, directory, symlink, other
	Size   int64  `json:"size"`
	Target string `json:"target,omitempty"`
}

const (
	maxListed  = 1000
	defaultDir = "/app"
)

func listFiles(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	dir, err := in.optionalPath("path")
	if err != nil {
		return nil, err
	}
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), 0, func(box *Box) (*Result, error) {
		where, entries, err := list(ctx, box, dir)
		if err != nil {
			return nil, err
		}
		return listing(box, where, entries), nil
	})
}

// list lists a directory; "" is /app where it exists, else /.
func list(ctx context.Context, box *Box, dir string) (string, []*sandboxclient.Entry, error) {
	if dir != "" {
		entries, err := box.List(ctx, dir, 1)
		return dir, entries, err
	}
	entries, err := box.List(ctx, defaultDir, 1)
	if isMissingPath(err) {
		entries, err = box.List(ctx, "/", 1)
		return "/", entries, err
	}
	return defaultDir, entries, err
}

func listing(box *Box, dir string, entries []*sandboxclient.Entry) *Result {
	out := &listFilesOutput{Files: make([]listedFile, 0, len(entries)), Total: len(entries), SandboxID: box.Handle}
	for _, e := range entries {
		out.Files = append(out.Files, listed(dir, e))
	}
	slices.SortFunc(out.Files, func(a, b listedFile) int { return strings.Compare(a.Name, b.Name) })
	res := &Result{Structured: out}
	if out.Total > maxListed {
		out.Files, out.Truncated = out.Files[:maxListed], true
		res.notef("%s has %d entries; the first %d are listed.", dir, out.Total, maxListed)
	}
	return res
}

func listed(dir string, e *sandboxclient.Entry) listedFile {
	file := listedFile{Name: e.Name, Path: path.Join(dir, e.Name), Type: string(e.Type), Size: e.Size}
	if e.IsSymlink() {
		file.Type, file.Target = "symlink", e.SymlinkTarget
	}
	return file
}
