// Package ownership gives what the agent creates to the user it was created
// for: the agent may run as root, its files must not.
package ownership

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
)

// NotDirError says that a file stands where a directory is needed.
type NotDirError struct{ Path string }

// Error implements error.
func (e *NotDirError) Error() string { return "path is a file: " + e.Path }

// Give makes u the owner of path itself, not of what a link points to.
func Give(u *account.User, path string) error {
	if u.UID == os.Geteuid() && u.GID == os.Getegid() {
		return nil // ours already
	}
	return os.Lchown(path, u.UID, u.GID)
}

// MakeDirs creates path and its missing parents, mode 0755, and gives them to
// u. The error is a *NotDirError when a file is in the way.
func MakeDirs(u *account.User, path string) error {
	missing, err := missingParents(path)
	if err != nil {
		return err
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("create directory: %w", err)
		}
		if err := Give(u, missing[i]); err != nil {
			return fmt.Errorf("change owner: %w", err)
		}
	}
	return nil
}

// missingParents lists what must be created, the deepest first.
func missingParents(path string) ([]string, error) {
	var missing []string
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && info.IsDir():
			return missing, nil
		case err == nil:
			return nil, &NotDirError{Path: at}
		case errors.Is(err, fs.ErrNotExist) || isNotDir(err):
			missing = append(missing, at)
		default:
			return nil, err
		}
		if at == filepath.Dir(at) {
			return missing, nil
		}
	}
}
