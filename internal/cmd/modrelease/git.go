package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}

// tagName is the tag by which the go command finds a version of a module that
// lies in a subdirectory of its repository.
func tagName(m *modgraph.Module) string { return m.Name + "/" + m.Version }

func (t *tree) tagged(ctx context.Context, m *modgraph.Module) (bool, error) {
	out, err := git(ctx, t.root, "tag", "--list", tagName(m))
	return strings.TrimSpace(out) != "", err
}

var errDirty = errors.New("the working tree has changes that are not committed")

func (t *tree) clean(ctx context.Context) error {
	out, err := git(ctx, t.root, "status", "--porcelain")
	if err == nil && out != "" {
		err = errDirty
	}
	return err
}
