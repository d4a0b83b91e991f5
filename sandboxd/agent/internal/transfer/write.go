package transfer

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/metadata"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/ownership"
)

// copyBuffer is the size of reads and writes of uploads.
const copyBuffer = 256 << 10

// writeFile creates or truncates the file at path for u, parents included.
func writeFile(u *account.User, path string, content io.Reader, meta map[string]string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fail(http.StatusBadRequest, "path is a directory: %s", path)
	}
	if err := ownership.MakeDirs(u, filepath.Dir(path)); err != nil {
		return storing(err, "error ensuring directories: %w")
	}
	// Opening a pipe that nobody reads would wait for a reader, perhaps forever.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return fail(http.StatusBadRequest, "path '%s' is a pipe or socket without a reader", path)
	}
	if err != nil {
		return storing(err, "error opening file: %w")
	}
	err = fill(file, u, content, meta)
	if closed := file.Close(); err == nil && closed != nil {
		err = storing(closed, "error writing file: %w")
	}
	return err
}

func fill(file *os.File, u *account.User, content io.Reader, meta map[string]string) error {
	if err := ownership.Give(u, file.Name()); err != nil {
		return storing(err, "error changing file ownership: %w")
	}
	if err := metadata.Replace(file.Name(), meta); err != nil {
		return storing(err, "error storing metadata: %w")
	}
	buffered := bufio.NewWriterSize(file, copyBuffer)
	_, err := io.Copy(buffered, content)
	if flushed := buffered.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		return storing(err, "error writing file: %w")
	}
	return nil
}

// storing gives an error its status.
func storing(err error, format string) error { return fail(statusOf(err), format, err) }

// statusOf tells what the system refused from what went wrong: a full disk, what
// the user may not do, and a path that cannot be.
func statusOf(err error) int {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return http.StatusInsufficientStorage
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return http.StatusForbidden
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}
