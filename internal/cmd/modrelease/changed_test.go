package main

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestChangedModules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		want []string
	}{
		{"docs/page.md", []string{}},
		{"abx/other.go", []string{"abx"}},
		{"leaf/other.go", []string{"leaf", "abx"}}, // abx requires leaf
		{"scripts/check.sh", []string{"leaf", "abx"}},
		{"go.work", []string{"leaf", "abx"}},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			repo := toy(t)
			put(t, filepath.Join(repo.root, c.path), "package main\n")
			commit(t, repo.root)
			got, err := repo.changedModules(t.Context(), "HEAD~1")
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestChangedSinceAnUnknownCommit(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	for _, base := range []string{"", "0000000000000000000000000000000000000000", "no-such-branch"} {
		got, err := repo.changedModules(t.Context(), base)
		if err != nil || len(got) != 2 {
			t.Errorf("base %q: %v %v, want both modules", base, got, err)
		}
	}
}
