package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// shared are the paths whose change may touch every module.
var shared = []string{"go.work", "go.mod", "go.sum", "versions.txt", "internal/", "scripts/", ".github/", ".golangci.yml"}

// changed prints, as a JSON list, the modules that differ from the commit base
// or require one that does. An unknown base, such as that of a new branch, means
// all of them.
func (t *tree) changed(ctx context.Context, base string) error {
	names, err := t.changedModules(ctx, base)
	if err != nil {
		return err
	}
	data, err := json.Marshal(names)
	if err == nil {
		fmt.Println(string(data))
	}
	return err
}

func (t *tree) changedModules(ctx context.Context, base string) ([]string, error) {
	if _, err := git(ctx, t.root, "rev-parse", "--verify", "--quiet", base+"^{commit}"); err != nil {
		return t.names(func(string) bool { return true }), nil
	}
	out, err := git(ctx, t.root, "diff", "--name-only", base+"...HEAD")
	if err != nil {
		return nil, err
	}
	touched := map[string]bool{}
	for path := range strings.Lines(out) {
		path = strings.TrimSpace(path)
		if slices.ContainsFunc(shared, func(s string) bool { return path == s || strings.HasSuffix(s, "/") && strings.HasPrefix(path, s) }) {
			return t.names(func(string) bool { return true }), nil
		}
		module, _, _ := strings.Cut(path, "/")
		touched[module] = true
	}
	for _, m := range t.modules { // leaf first: one pass reaches every dependent
		touched[m.Name] = touched[m.Name] || slices.ContainsFunc(m.Siblings(), func(s string) bool { return touched[s] })
	}
	return t.names(func(name string) bool { return touched[name] }), nil
}

func (t *tree) names(keep func(string) bool) []string {
	names := []string{}
	for _, m := range t.modules {
		if keep(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}
