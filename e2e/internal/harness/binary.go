// Package harness builds the abx binary once and starts it as its users do, and
// starts the backend that it is tested against.
package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

const modulePrefix = "github.com/agentsandbox/agent-sandbox/"

// Binary is the path of a static abx, built from the tree on first use, in a
// directory that any user may read. The test binary's TestMain removes it with
// Cleanup.
func Binary() (string, error) { return buildAbx() }

// SandboxdBinary is the path of a static sandboxd, as Binary is that of abx.
func SandboxdBinary() (string, error) { return buildSandboxd() }

// Cleanup removes what this package built, the container image included.
func Cleanup() {
	removeImage()
	if dir, err := buildDir(); err == nil {
		_ = os.RemoveAll(dir)
	}
}

var (
	buildAbx      = sync.OnceValues(func() (string, error) { return build("abx", "abx") })
	buildSandboxd = sync.OnceValues(func() (string, error) { return build("sandboxd", "sandboxd/cmd/sandboxd") })
	buildDir      = sync.OnceValues(makeBuildDir)
)

func makeBuildDir() (string, error) {
	dir, err := os.MkdirTemp("", "abx-e2e")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, 0o755) //nolint:gosec // another user starts it too
}

func build(name, pkg string) (string, error) {
	dir, err := buildDir()
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-o", out, modulePrefix+pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var text Log
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := Run(cmd); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, &text)
	}
	return out, nil
}
