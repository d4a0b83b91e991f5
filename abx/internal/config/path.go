package config

import (
	"errors"
	"os"
	"path/filepath"
)

// DefaultPath is $XDG_CONFIG_HOME/abx/config.toml, or the same below the
// operating system's directory for a user's configuration.
func DefaultPath(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "abx", "config.toml"), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", errors.New("no directory for the configuration file: set HOME or pass --config FILE")
	}
	return filepath.Join(dir, "abx", "config.toml"), nil
}
