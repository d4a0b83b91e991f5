package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
	"github.com/agentsandbox/agent-sandbox/internal/modproxy"
)

type tree struct {
	root    string
	modules []*modgraph.Module
}

func open(root string) (*tree, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	modules, err := modgraph.Load(root)
	return &tree{root, modules}, err
}

func (t *tree) writeProxy(dir string) error { return modproxy.Write(dir, t.modules) }

func (t *tree) find(name string) (*modgraph.Module, error) {
	for _, m := range t.modules {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("no module %q in versions.txt", name)
}

// chosen are the modules with these names, leaf first, or all without any.
func (t *tree) chosen(names []string) ([]*modgraph.Module, error) {
	if len(names) == 0 {
		return t.modules, nil
	}
	for _, name := range names {
		if _, err := t.find(name); err != nil {
			return nil, err
		}
	}
	var modules []*modgraph.Module
	for _, m := range t.modules {
		if slices.Contains(names, m.Name) {
			modules = append(modules, m)
		}
	}
	return modules, nil
}

// tidy goes leaf first, since each module's graph is read by the next.
func (t *tree) tidy(ctx context.Context, names []string) error {
	modules, err := t.chosen(names)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if err := t.isolated(ctx, m, "mod", "tidy"); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) get(ctx context.Context, name string, packages []string) error {
	m, err := t.find(name)
	if err != nil {
		return err
	}
	return t.isolated(ctx, m, append([]string{"get"}, packages...)...)
}

// isolated runs a go command in a module with the workspace off. It gets a
// module cache of its own, fed from the shared one: the shared cache would keep
// an earlier state of the same sibling version for ever.
func (t *tree) isolated(ctx context.Context, m *modgraph.Module, args ...string) error {
	scratch, err := os.MkdirTemp("", "modrelease")
	if err != nil {
		return err
	}
	defer func() { _ = removeAll(scratch) }()
	env, err := t.outsideWorkspace(ctx, scratch)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.Dir, append(os.Environ(), env...), os.Stdout, os.Stderr
	runErr := cmd.Run()
	if runErr != nil {
		runErr = fmt.Errorf("go %s in %s: %w", strings.Join(args, " "), m.Name, runErr)
	}
	return errors.Join(runErr, stripSiblingSums(filepath.Join(m.Dir, "go.sum")))
}

// outsideWorkspace is the environment in which siblings come from a proxy of
// the tree below scratch, and all else from what is downloaded already or from
// the user's own proxy. Paths are trimmed so that the build cache is of use
// although the module cache is a new one each time.
func (t *tree) outsideWorkspace(ctx context.Context, scratch string) ([]string, error) {
	proxy := filepath.Join(scratch, "proxy")
	if err := t.writeProxy(proxy); err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	cache, upstream, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return []string{
		"GOWORK=off",
		"GOFLAGS=-mod=mod -modcacherw -trimpath",
		"GOMODCACHE=" + filepath.Join(scratch, "mod"),
		"GOPROXY=file://" + proxy + ",file://" + filepath.Join(cache, "cache", "download") + "," + upstream,
		"GONOSUMDB=" + modgraph.Prefix + "*",
	}, nil
}

// printEnv is outsideWorkspace for a shell script: NAME=value lines.
func (t *tree) printEnv(ctx context.Context, scratch string) error {
	scratch, err := filepath.Abs(scratch)
	if err != nil {
		return err
	}
	env, err := t.outsideWorkspace(ctx, scratch)
	if err != nil {
		return err
	}
	_, err = fmt.Println(strings.Join(env, "\n"))
	return err
}

// removeAll also removes directories that the module cache made read-only.
func removeAll(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// stripSiblingSums takes the lines of siblings out of a go.sum: until the
// release writes them their content changes with every commit.
func stripSiblingSums(path string) error {
	kept, err := withoutSiblingSums(path)
	if err != nil || kept == nil {
		return err
	}
	return os.WriteFile(path, kept, 0o644)
}

// withoutSiblingSums is nil where there is no such file: a module that requires
// nothing has no go.sum.
func withoutSiblingSums(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	kept := []byte{}
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte(modgraph.Prefix)) {
			kept = append(kept, line...)
		}
	}
	return kept, nil
}
