// Package harness builds the abx binary once and starts it as its users do.
package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Binary is the path of a static abx, built from the tree on first use, in a
// directory that any user may read. The test binary's TestMain removes it with
// Cleanup.
func Binary() (string, error) {
	b, err := build()
	return filepath.Join(b, "abx"), err
}

// Cleanup removes what Binary built.
func Cleanup() {
	if dir, err := build(); err == nil {
		_ = os.RemoveAll(dir)
	}
}

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "abx-e2e")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil { //nolint:gosec // another user starts it too
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "abx"), "github.com/agentsandbox/agent-sandbox/abx")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build abx: %w\n%s", err, out)
	}
	return dir, nil
})
