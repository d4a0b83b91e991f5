package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const docs = "../../../docs"

// needRepository skips where the module is tested alone: the pages lie outside.
func needRepository(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(docs); err != nil {
		t.Skip("the repository's docs are not part of the module")
	}
}

func TestReferenceIsUpToDate(t *testing.T) {
	t.Parallel()
	needRepository(t)
	dir := t.TempDir()
	if err := run([]string{"md", dir}); err != nil {
		t.Fatal(err)
	}
	want, got := read(t, dir), read(t, filepath.Join(docs, "cli"))
	for name, text := range want {
		if got[name] != text {
			t.Errorf("docs/cli/%s is not what the commands say: run make docs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("docs/cli/%s is of a command that is gone: remove it", name)
		}
	}
}

func TestManPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := run([]string{"man", dir}); err != nil {
		t.Fatal(err)
	}
	page := read(t, dir)["abx-mcp-start.1"]
	for _, part := range []string{".TH", "abx-mcp-start", "--transport"} {
		if !strings.Contains(strings.ReplaceAll(page, `\-`, "-"), part) {
			t.Errorf("abx-mcp-start.1 lacks %q", part)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"md"}, {"html", "dir"}} {
		if err := run(args); err == nil || !strings.Contains(err.Error(), "usage") {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	files := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(data)
	}
	return files
}
