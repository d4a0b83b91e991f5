package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
	"github.com/agentsandbox/agent-sandbox/internal/modproxy"
)

// tag makes the annotated tags of HEAD that versions.txt names and that do not
// exist, leaf first. It never moves one: the module proxy keeps the first.
// Pushing stays with the person who runs it.
func (t *tree) tag(ctx context.Context, write bool) error {
	if err := t.verify(); err != nil {
		return err
	}
	if err := t.clean(ctx); err != nil {
		return err
	}
	due, err := t.due(ctx)
	if err != nil {
		return err
	}
	for _, m := range due {
		if err := t.makeTag(ctx, tagName(m), write); err != nil {
			return err
		}
	}
	return nil
}

// due lists the modules that are prepared and have no tag yet, all of them
// checked before the first tag is made.
func (t *tree) due(ctx context.Context) ([]*modgraph.Module, error) {
	var due []*modgraph.Module
	for _, m := range t.modules {
		if !m.Tagged() {
			continue
		}
		if exists, err := t.tagged(ctx, m); err != nil {
			return nil, err
		} else if exists {
			continue
		}
		text, err := readChangelog(m)
		if err != nil {
			return nil, err
		}
		if !hasRelease(text, m.Version) {
			fmt.Printf("%s: not prepared, left out\n", tagName(m))
			continue
		}
		if err := t.checkSums(ctx, m); err != nil {
			return nil, err
		}
		due = append(due, m)
	}
	return due, nil
}

// checkSums refuses a go.sum that does not hold the siblings as they will be
// tagged with m: everybody's build of m would stop with a mismatch.
func (t *tree) checkSums(ctx context.Context, m *modgraph.Module) error {
	data, err := os.ReadFile(filepath.Join(m.Dir, "go.sum"))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, name := range m.Siblings() {
		s, err := t.find(name)
		if err != nil {
			return err
		}
		if exists, err := t.tagged(ctx, s); err != nil || exists {
			if err != nil {
				return err
			}
			continue // its sum is public; the isolated build checks it
		}
		sums, err := modproxy.Sums(s)
		if err != nil {
			return err
		}
		for _, line := range sums {
			if !strings.Contains(string(data), line+"\n") {
				return fmt.Errorf("%s/go.sum lacks %q: prepare the set again", m.Name, line)
			}
		}
	}
	return nil
}

func (t *tree) makeTag(ctx context.Context, name string, write bool) error {
	if !write {
		fmt.Printf("would tag %s\n", name)
		return nil
	}
	if _, err := git(ctx, t.root, "tag", "--annotate", "--message", name, name); err != nil {
		return err
	}
	fmt.Printf("tagged %s; publish it with: git push origin %s\n", name, name)
	return nil
}
