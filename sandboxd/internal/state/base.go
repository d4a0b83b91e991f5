package state

import (
	"os"
	"path/filepath"
	"strconv"
)

// programDir is the directory of this program among those of others.
const programDir = "abx"

// DefaultBase is where sandboxes live when nobody says otherwise. Root needs a
// place below which another user can reach a directory that it owns, so not
// its home.
func DefaultBase() string {
	if os.Geteuid() == 0 {
		return filepath.Join("/var/lib", programDir, "sandboxes")
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, programDir, "sandboxes")
	}
	if home, err := os.UserHomeDir(); err == nil {
		if info, err := os.Stat(home); err == nil && info.IsDir() && writable(home) {
			return filepath.Join(home, ".local", "state", programDir, "sandboxes")
		}
	}
	return filepath.Join(os.TempDir(), programDir+"-"+strconv.Itoa(os.Geteuid()))
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
