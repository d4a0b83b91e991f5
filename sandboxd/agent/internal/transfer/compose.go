package transfer

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/ownership"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/rest"
)

// maxCompose bounds the body of a compose request.
const maxCompose = 1 << 20

type composeRequest struct {
	SourcePaths []string `json:"source_paths"`
	Destination string   `json:"destination"`
	Username    string   `json:"username"`
}

// Compose joins files, in order, into one and deletes them: the last step of
// an upload in parts (envd contract: POST /files/compose).
func (h *Handler) Compose(w http.ResponseWriter, r *http.Request) {
	entry, err := h.compose(r)
	if err != nil {
		reply(w, err)
		return
	}
	rest.JSON(w, entry)
}

func (h *Handler) compose(r *http.Request) (*written, error) {
	var req composeRequest
	if err := json.NewDecoder(io.LimitReader(r.Body, maxCompose)).Decode(&req); err != nil {
		return nil, fail(http.StatusBadRequest, "error reading request: %w", err)
	}
	if len(req.SourcePaths) == 0 || req.Destination == "" {
		return nil, fail(http.StatusBadRequest, "source_paths and destination are required")
	}
	u, err := h.named(req.Username)
	if err != nil {
		return nil, err
	}
	target, sources, err := h.composition(u, &req)
	if err != nil {
		return nil, err
	}
	if err := join(u, target, sources); err != nil {
		return nil, err
	}
	return &written{Name: filepath.Base(target), Path: target, Type: "file"}, nil
}

// composition resolves the paths and looks at all of them before anything is
// written.
func (h *Handler) composition(u *account.User, req *composeRequest) (target string, sources []string, err error) {
	if target, err = h.resolve(u, req.Destination); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return "", nil, fail(http.StatusBadRequest, "path is a directory: %s", target)
	}
	for _, path := range req.SourcePaths {
		source, err := h.resolve(u, path)
		if err != nil {
			return "", nil, err
		}
		if err := readable(source); err != nil {
			return "", nil, err
		}
		sources = append(sources, source)
	}
	return target, sources, nil
}

// join builds the whole beside the target and puts it in place at once, so
// that the target may be one of the sources and a failure leaves all as it was.
func join(u *account.User, target string, sources []string) error {
	if err := ownership.MakeDirs(u, filepath.Dir(target)); err != nil {
		return storing(err, "error ensuring directories: %w")
	}
	whole, err := os.CreateTemp(filepath.Dir(target), ".compose-*")
	if err != nil {
		return storing(err, "error opening file: %w")
	}
	err = errors.Join(concatenate(whole, sources), whole.Chmod(0o644), whole.Close(), ownership.Give(u, whole.Name()))
	if err == nil {
		err = os.Rename(whole.Name(), target)
	}
	if err != nil {
		_ = os.Remove(whole.Name())
		return storing(err, "error composing files: %w")
	}
	return discard(sources, target)
}

func concatenate(whole *os.File, sources []string) error {
	for _, source := range sources {
		part, err := os.Open(source)
		if err != nil {
			return err
		}
		_, err = io.Copy(whole, part)
		_ = part.Close() // only read
		if err != nil {
			return err
		}
	}
	return nil
}

func discard(sources []string, target string) error {
	for _, source := range sources {
		if source == target {
			continue
		}
		if err := os.Remove(source); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fail(http.StatusInternalServerError, "error removing source: %w", err)
		}
	}
	return nil
}
