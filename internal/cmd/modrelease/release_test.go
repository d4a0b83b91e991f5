package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

// toy is a repository of two modules, abx over leaf, that nothing outside the
// standard library is needed to build.
func toy(t *testing.T) *tree {
	t.Helper()
	root := t.TempDir()
	for path, text := range map[string]string{
		"versions.txt":      "# module version\nleaf v0.1.0\nabx v0.1.0\n",
		"go.work":           "go 1.26.0\n\nuse (\n\t./abx\n\t./leaf\n)\n\nreplace " + modgraph.Prefix + "leaf v0.1.0 => ./leaf\n",
		"leaf/go.mod":       "module " + modgraph.Prefix + "leaf\n\ngo 1.26.0\n",
		"leaf/leaf.go":      "package leaf\n\nconst Name = \"leaf\"\n",
		"leaf/CHANGELOG.md": "# Changelog of leaf\n\n## Unreleased\n\n- A name.\n",
		"leaf/LICENSE":      "licence\n",
		"abx/go.mod":        "module " + modgraph.Prefix + "abx\n\ngo 1.26.0\n\nrequire " + modgraph.Prefix + "leaf v0.1.0\n",
		"abx/main.go":       "package main\n\nimport \"" + modgraph.Prefix + "leaf\"\n\nfunc main() { println(leaf.Name) }\n",
		"abx/CHANGELOG.md":  "# Changelog of abx\n\n## Unreleased\n\n- Prints it.\n",
		"abx/LICENSE":       "licence\n",
	} {
		put(t, filepath.Join(root, path), text)
	}
	gitDo(t, root, "init", "--quiet", "--initial-branch", "main")
	commit(t, root)
	return reopen(t, root)
}

func reopen(t *testing.T, root string) *tree {
	t.Helper()
	opened, err := open(root)
	if err != nil {
		t.Fatal(err)
	}
	return opened
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

func get(t *testing.T, root, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func gitDo(t *testing.T, root string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func commit(t *testing.T, root string) {
	t.Helper()
	gitDo(t, root, "config", "user.name", "Test")
	gitDo(t, root, "config", "user.email", "test@example.com")
	gitDo(t, root, "add", "--all")
	gitDo(t, root, "commit", "--quiet", "--message", "Change")
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

func TestVerifyNamesEveryFault(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	if err := repo.verify(); err != nil {
		t.Fatalf("a tree that is right: %v", err)
	}
	for _, gone := range []string{"leaf/LICENSE", "abx/CHANGELOG.md"} {
		if err := os.Remove(filepath.Join(repo.root, gone)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(repo.root, "abx/go.mod"), get(t, repo.root, "abx/go.mod")+"\nreplace example.com/x => ../x\n")
	put(t, filepath.Join(repo.root, "versions.txt"), "leaf v0.1\nabx v0.1.0\n")
	err := reopen(t, repo.root).verify()
	for _, text := range []string{"leaf: no LICENSE", "abx: go.mod has a replace", `leaf: versions.txt: "v0.1"`, "CHANGELOG.md: no such file"} {
		wantError(t, err, text)
	}
}

func TestPrepareShowsBeforeItWrites(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	if err := repo.prepare(t.Context(), []string{"leaf@v0.1.0", "abx@v0.1.0"}, false); err != nil {
		t.Fatal(err)
	}
	if out := gitDo(t, repo.root, "status", "--porcelain"); out != "" {
		t.Errorf("a dry run changed\n%s", out)
	}
	if out := gitDo(t, repo.root, "worktree", "list"); strings.Count(out, "\n") != 1 {
		t.Errorf("worktrees left behind:\n%s", out)
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	for _, c := range []struct{ spec, want string }{
		{"abx@v0.1.0", "abx needs leaf/v0.1.0, which is not released"},
		{"leaf@v0.0.9", "at least v0.1.0"},
		{"leaf@1.0", "want MODULE@vX.Y.Z"},
		{"none@v1.0.0", `no module "none"`},
	} {
		wantError(t, repo.prepare(t.Context(), []string{c.spec}, false), c.want)
	}
	gitDo(t, repo.root, "tag", "leaf/v0.1.0")
	wantError(t, repo.prepare(t.Context(), []string{"leaf@v0.1.0"}, false), "a tag never moves")
	put(t, filepath.Join(repo.root, "leaf/new.go"), "package leaf\n")
	wantError(t, repo.prepare(t.Context(), []string{"leaf@v0.2.0"}, false), errDirty.Error())
}

// The sums in the release commit must be those that a proxy computes from the
// tag: the go command itself is asked, through a proxy of the tagged tree.
func TestReleaseOfASet(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	if err := repo.prepare(t.Context(), []string{"leaf@v0.2.0", "abx@v0.2.0"}, true); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"versions.txt":      "leaf v0.2.0\nabx v0.2.0\n",
		"abx/go.mod":        "agent-sandbox/leaf v0.2.0",
		"abx/go.sum":        "agent-sandbox/leaf v0.2.0/go.mod h1:",
		"go.work":           "agent-sandbox/leaf v0.2.0 => ./leaf",
		"leaf/CHANGELOG.md": "## Unreleased\n\n## v0.2.0 - ",
	} {
		if got := get(t, repo.root, path); !strings.Contains(got, want) {
			t.Errorf("%s lacks %q:\n%s", path, want, got)
		}
	}
	commit(t, repo.root)
	prepared := reopen(t, repo.root)
	buildFromProxy(t, prepared)
	if err := prepared.tag(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if out := gitDo(t, repo.root, "tag", "--list"); out != "" {
		t.Errorf("a dry run tagged %s", out)
	}
	for range 2 { // the second run finds nothing to do
		if err := prepared.tag(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	if out := gitDo(t, repo.root, "tag", "--list"); out != "abx/v0.2.0\nleaf/v0.2.0\n" {
		t.Errorf("tags %q", out)
	}
}

func buildFromProxy(t *testing.T, repo *tree) {
	t.Helper()
	scratch := t.TempDir()
	if err := repo.writeProxy(filepath.Join(scratch, "proxy")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
	cmd.Dir = filepath.Join(repo.root, "abx")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -modcacherw",
		"GOMODCACHE="+filepath.Join(scratch, "mod"), "GOPROXY=file://"+filepath.Join(scratch, "proxy"), "GONOSUMDB="+modgraph.Prefix+"*")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the prepared go.sum does not fit the released modules: %v\n%s", err, out)
	}
}

func TestTagRefusesStaleSums(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	if err := repo.prepare(t.Context(), []string{"leaf@v0.1.0", "abx@v0.1.0"}, true); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(repo.root, "leaf/late.go"), "package leaf\n")
	commit(t, repo.root)
	wantError(t, reopen(t, repo.root).tag(t.Context(), true), "prepare the set again")
	if out := gitDo(t, repo.root, "tag", "--list"); out != "" {
		t.Errorf("tagged %s", out)
	}
}

func TestIsolate(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	if err := repo.isolate(t.Context(), nil, false); err != nil {
		t.Fatalf("a tree that is right: %v", err)
	}
	put(t, filepath.Join(repo.root, "leaf/go.mod"), get(t, repo.root, "leaf/go.mod")+"\nrequire "+modgraph.Prefix+"abx v0.1.0\n")
	if _, err := open(repo.root); err == nil {
		t.Error("a cycle of modules was accepted")
	}
	put(t, filepath.Join(repo.root, "leaf/go.mod"), "module "+modgraph.Prefix+"leaf\n\ngo 1.26.0\n")
	put(t, filepath.Join(repo.root, "abx/main.go"), "package main\n\nfunc main() {}\n")
	wantError(t, repo.isolate(t.Context(), []string{"abx"}, false), "abx/go.mod is not tidy")
}

func TestUnknownModulesAreNamed(t *testing.T) {
	t.Parallel()
	repo := toy(t)
	wantError(t, repo.isolate(t.Context(), []string{"leaf", "laef"}, false), `no module "laef"`)
	wantError(t, repo.tidy(t.Context(), []string{"laef"}), `no module "laef"`)
}

func TestReleaseNotes(t *testing.T) {
	t.Parallel()
	got, err := releaseNotes("# C\n\n## Unreleased\n\n- New.\n\n## v0.1.0 - 2026-01-01\n\n- Old.\n", "v0.2.0", "2026-02-02")
	want := "# C\n\n## Unreleased\n\n## v0.2.0 - 2026-02-02\n\n- New.\n\n## v0.1.0 - 2026-01-01\n\n- Old.\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	_, err = releaseNotes("# C\n\n## Unreleased\n\n## v0.1.0 - 2026-01-01\n\n- Old.\n", "v0.2.0", "2026-02-02")
	wantError(t, err, "nothing under")
}
