package state

import (
	"os"
	"path/filepath"
	"strconv"
)

// DefaultBase is where sandboxes live when nobody says otherwise. Root needs a
// place below which another user can reach a directory that it owns, so not
// its home.
func DefaultBase() string {
	if os.Geteuid() == 0 {
		return "/var/lib/abx/sandboxes"
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "abx", "sandboxes")
	}
	if home, err := os.UserHomeDir(); err == nil {
		if info, err := os.Stat(home); err == nil && info.IsDir() && writable(home) {
			return filepath.Join(home, ".local", "state", "abx", "sandboxes")
		}
	}
	return filepath.Join(os.TempDir(), "abx-"+strconv.Itoa(os.Geteuid()))
}

// writable reports whether an entry can be made in the directory; system
// accounts have homes that exist and are not theirs.
func writable(dir string) bool {
	probe, err := os.MkdirTemp(dir, ".abx-")
	if err != nil {
		return false
	}
	return os.Remove(probe) == nil
}
