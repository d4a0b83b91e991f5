package account

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

var errOtherHome = errors.New("cannot expand user-specific home dir")

// Resolve turns a path of a request into an absolute one for this user. Empty
// is fallback, or the home when that is empty too; "~" and "~/x" are the home;
// a relative path is joined to the home, never to the working directory
// (envd contract: users and paths).
func (u *User) Resolve(path, fallback string) (string, error) {
	if path == "" {
		path = fallback
	}
	if path == "" {
		return u.Home, nil
	}
	path, err := u.expandTilde(path)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(path) {
		return path, nil
	}
	return filepath.Join(u.Home, path), nil
}

func (u *User) expandTilde(path string) (string, error) {
	switch {
	case !strings.HasPrefix(path, "~"):
		return path, nil
	case path == "~" || strings.HasPrefix(path, "~/"):
		return filepath.Join(u.Home, path[1:]), nil
	}
	// The empty quotes are the contract's: envd prints the failed result.
	return "", fmt.Errorf("failed to expand path '' for user '%s': %w", u.Name, errOtherHome)
}
