// Package policy_test holds rules about the whole repository that no compiler
// checks.
package policy_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

const root = "../.."

func modules(t *testing.T) []*modgraph.Module {
	t.Helper()
	all, err := modgraph.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEveryModuleCarriesItsLicence(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules(t) {
		got, err := os.ReadFile(filepath.Join(m.Dir, "LICENSE"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: LICENSE is missing or differs from the root's: a module is released from its own directory", m.Name)
		}
	}
}

func TestGoModFiles(t *testing.T) {
	t.Parallel()
	for _, m := range modules(t) {
		if m.File.Module.Mod.Path != m.Path() {
			t.Errorf("%s: module path is %s", m.Name, m.File.Module.Mod.Path)
		}
		if len(m.File.Replace) > 0 {
			t.Errorf("%s: go.mod has a replace, with which `go install` refuses the module", m.Name)
		}
		if m.File.Toolchain != nil {
			t.Errorf("%s: go.mod has a toolchain line", m.Name)
		}
		if m.File.Go.Version != "1.26.0" {
			t.Errorf("%s: go line is %s; all modules and go.work have the same", m.Name, m.File.Go.Version)
		}
	}
}

// mayImport is the direction of imports: what a module's shipped code may use
// of its siblings.
var mayImport = map[string][]string{
	"sandboxclient": {},
	"sandboxd":      {"sandboxclient"},
	"mcpserver":     {"sandboxclient"},
	"ideinstall":    {},
	"fcdeploy":      {},
	"abx":           {"sandboxclient", "sandboxd", "mcpserver", "ideinstall", "fcdeploy"},
	"e2e":           {"sandboxclient", "sandboxd", "mcpserver", "ideinstall", "fcdeploy"},
}

// testsMayImport adds what only tests use.
var testsMayImport = map[string][]string{"mcpserver": {"sandboxd"}}

func TestImportDirections(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		allowed := mayImport[f.module]
		if f.test() {
			allowed = slices.Concat(allowed, testsMayImport[f.module])
		}
		for _, path := range f.imports() {
			rest, ours := strings.CutPrefix(path, modgraph.Prefix)
			name, inside, _ := strings.Cut(rest, "/")
			if !ours || name == f.module || f.module == "" {
				continue
			}
			if !slices.Contains(allowed, name) {
				t.Errorf("%s imports %s: %s may import %v of ours", f.path, path, f.module, allowed)
			}
			if slices.Contains(strings.Split(inside, "/"), "internal") {
				t.Errorf("%s imports %s: another module's internal package", f.path, path)
			}
		}
	}
}

func TestWorkspaceNamesEveryModule(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var used, replaced []string
	for _, u := range work.Use {
		used = append(used, u.Path)
	}
	for _, r := range work.Replace {
		replaced = append(replaced, r.Old.Path+" "+r.Old.Version+" => "+r.New.Path)
	}
	for _, m := range modules(t) {
		if !slices.Contains(used, "./"+m.Name) {
			t.Errorf("go.work does not use ./%s", m.Name)
		}
		for _, r := range m.File.Require {
			name, ours := strings.CutPrefix(r.Mod.Path, modgraph.Prefix)
			if want := r.Mod.String(); ours && !slices.Contains(replaced, strings.Replace(want, "@", " ", 1)+" => ./"+name) {
				t.Errorf("go.work has no replace for %s, which %s requires", want, m.Name)
			}
		}
	}
}
