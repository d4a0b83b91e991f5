package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
	"github.com/agentsandbox/agent-sandbox/internal/modproxy"
)

// isolate proves that each module stands alone: its go.mod and go.sum are tidy
// and it builds with the versions that it names, not with what the workspace
// happens to hold.
func (t *tree) isolate(ctx context.Context, names []string, test bool) error {
	modules, err := t.chosen(names)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "modrelease")
	if err != nil {
		return err
	}
	defer func() { _ = removeAll(scratch) }()
	env, err := t.outsideWorkspace(ctx, scratch)
	if err != nil {
		return err
	}
	commands := [][]string{{"mod", "tidy"}, {"build", "./..."}, {"vet", "./..."}}
	if test {
		commands = append(commands, []string{"test", "-timeout", "15m", "./..."})
	}
	for _, m := range modules {
		if err := isolateModule(ctx, m, filepath.Join(scratch, m.Name), env, commands); err != nil {
			return err
		}
	}
	return nil
}

func isolateModule(ctx context.Context, m *modgraph.Module, dir string, env []string, commands [][]string) error {
	if err := modproxy.Copy(dir, m.Dir); err != nil {
		return err
	}
	for _, args := range commands {
		fmt.Printf("%s: go %s\n", m.Name, strings.Join(args, " "))
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), m.Name, err, out)
		}
		if args[0] == "mod" {
			if err := sameRequirements(m, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameRequirements compares what tidy made of the copy with the tree. The lines
// of siblings are left out: an unreleased sibling has none in the tree.
func sameRequirements(m *modgraph.Module, dir string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		want, err := withoutSiblingSums(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		got, err := withoutSiblingSums(filepath.Join(m.Dir, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s/%s is not tidy: run `make tidy ARGS=%s`", m.Name, name, m.Name)
		}
	}
	return nil
}
