package modproxy_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
	"github.com/agentsandbox/agent-sandbox/internal/modproxy"
)

// A release holds what git has: new files that are not ignored belong to it,
// build output and deleted files do not.
func TestPacksWhatGitHas(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for path, text := range map[string]string{
		"versions.txt": "leaf v0.1.0\n", ".gitignore": "/leaf/dist/\n",
		"leaf/go.mod": "module " + modgraph.Prefix + "leaf\n\ngo 1.26.0\n", "leaf/LICENSE": "licence\n",
		"leaf/old.go": "package leaf\n", "leaf/gone.go": "package leaf\n", "leaf/dist/abx": "built",
	} {
		put(t, filepath.Join(root, path), text)
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put(t, filepath.Join(root, "leaf/new.go"), "package leaf\n")
	if err := os.Remove(filepath.Join(root, "leaf/gone.go")); err != nil {
		t.Fatal(err)
	}
	modules, err := modgraph.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := modproxy.Write(dir, modules); err != nil {
		t.Fatal(err)
	}
	prefix := modgraph.Prefix + "leaf@v0.1.0/"
	want := []string{prefix + "LICENSE", prefix + "go.mod", prefix + "new.go", prefix + "old.go"}
	if got := names(t, filepath.Join(dir, modgraph.Prefix, "leaf/@v/v0.1.0.zip")); !slices.Equal(got, want) {
		t.Errorf("the zip holds %v, want %v", got, want)
	}
}

func TestAddSumsReplacesThoseOfTheModule(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "go.sum")
	put(t, path, "example.com/a v1.0.0 h1:a\nexample.com/b v0.1.0 h1:old\nexample.com/bb v0.1.0 h1:bb\n")
	if err := modproxy.AddSums(path, "example.com/b", []string{"example.com/b v0.2.0 h1:new"}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	want := "example.com/a v1.0.0 h1:a\nexample.com/b v0.2.0 h1:new\nexample.com/bb v0.1.0 h1:bb\n"
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s", err, data)
	}
}

func names(t *testing.T, path string) []string {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []string
	for _, f := range r.File {
		all = append(all, f.Name)
	}
	slices.SortFunc(all, strings.Compare)
	return all
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
