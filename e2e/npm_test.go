package e2e_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/e2e/internal/harness"
)

// npmLimit bounds an installation, and one run of what was installed.
const npmLimit = 5 * time.Minute

// npmPackages are installed programs of a folder of this module.
type npmPackages struct {
	dir string
	env []string
}

// npmInstall installs the packages that the lockfile of a folder names, in a
// directory of the test's. They come with the node that they need.
func npmInstall(t *testing.T, folder string) *npmPackages {
	t.Helper()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("programs of the npm registry need npm, which is not installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	_ = os.RemoveAll(filepath.Join(dir, "node_modules")) // what a developer installed by hand
	p := &npmPackages{dir: dir, env: os.Environ()}
	p.run(t, "npm", "ci", "--no-progress", "--loglevel=error")
	path := filepath.Join(dir, "node_modules", "node", "bin") + ":" + filepath.Join(dir, "node_modules", ".bin") + ":" + os.Getenv("PATH")
	p.env = append(p.env, "PATH="+path, "HOME="+t.TempDir())
	return p
}

// run runs a program and gives what it printed; its failure fails the test.
func (p *npmPackages) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := p.try(t, name, args...)
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return out
}

// try is run for programs that may fail.
func (p *npmPackages) try(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), npmLimit)
	defer cancel()
	if installed := filepath.Join(p.dir, "node_modules", ".bin", name); exists(installed) {
		name = installed
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, 5*time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := harness.Run(cmd)
	return out.String(), err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
