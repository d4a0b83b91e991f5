package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// prepare writes the release commit of a set of modules. It works in a worktree
// of its own and carries the difference over only with write.
func (t *tree) prepare(ctx context.Context, specs []string, write bool) error {
	set, err := t.parseSet(ctx, specs)
	if err != nil {
		return err
	}
	if err := t.clean(ctx); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "modrelease")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	copied := filepath.Join(scratch, "tree")
	if _, err := git(ctx, t.root, "worktree", "add", "--detach", copied, "HEAD"); err != nil {
		return err
	}
	defer func() { _, _ = git(context.WithoutCancel(ctx), t.root, "worktree", "remove", "--force", copied) }()
	if err := prepareTree(copied, set, time.Now().UTC().Format(time.DateOnly)); err != nil {
		return err
	}
	return t.carryOver(ctx, copied, write)
}

func (t *tree) carryOver(ctx context.Context, copied string, write bool) error {
	if _, err := git(ctx, copied, "add", "--all"); err != nil {
		return err
	}
	diff, err := git(ctx, copied, "diff", "--cached", "--binary", "HEAD")
	if err != nil {
		return err
	}
	if !write {
		fmt.Print(diff)
		return nil
	}
	patch := copied + ".patch"
	if err := os.WriteFile(patch, []byte(diff), 0o644); err != nil {
		return err
	}
	_, err = git(ctx, t.root, "apply", patch)
	return err
}

// parseSet reads MODULE@VERSION arguments. Whoever is released needs a version
// above the newest tag, and its unreleased siblings in the same set.
func (t *tree) parseSet(ctx context.Context, specs []string) (map[string]string, error) {
	set := map[string]string{}
	for _, spec := range specs {
		name, version, _ := strings.Cut(spec, "@")
		m, err := t.find(name)
		if err != nil {
			return nil, err
		}
		if !m.Tagged() {
			return nil, fmt.Errorf("%s is never released", name)
		}
		if !semver.IsValid(version) || semver.Compare(version, m.Version) < 0 {
			return nil, fmt.Errorf("%s: want MODULE@vX.Y.Z, at least %s", spec, m.Version)
		}
		next := *m
		next.Version = version
		if exists, err := t.tagged(ctx, &next); err != nil || exists {
			return nil, errOr(err, "%s exists: a tag never moves, take the next version", tagName(&next))
		}
		set[name] = version
	}
	return set, t.closed(ctx, set)
}

// closed says whether every sibling that the set needs is in it or released.
func (t *tree) closed(ctx context.Context, set map[string]string) error {
	for name := range set {
		m, err := t.find(name)
		if err != nil {
			return err
		}
		for _, sibling := range m.Siblings() {
			s, err := t.find(sibling)
			if err != nil {
				return err
			}
			if set[sibling] != "" {
				continue
			}
			if released, err := t.tagged(ctx, s); err != nil || !released {
				return errOr(err, "%s needs %s, which is not released: add it to the set", name, tagName(s))
			}
		}
	}
	return nil
}

func errOr(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf(format, args...)
}
