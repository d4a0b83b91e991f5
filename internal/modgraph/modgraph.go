// Package modgraph reads the modules of this repository: where they are, which
// version each will be released as, and who requires whom.
package modgraph

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Prefix is the module path under which every module of the repository lives.
const Prefix = "github.com/agentsandbox/agent-sandbox/"

// Untagged is the version of a module that is never released.
const Untagged = "-"

// Module is one module directory of the repository.
type Module struct {
	Name    string // directory and last path element, such as "sandboxclient"
	Dir     string
	Version string // next version, or Untagged
	File    *modfile.File
}

// Path is the module path.
func (m *Module) Path() string { return Prefix + m.Name }

// Tagged says whether the module is ever released.
func (m *Module) Tagged() bool { return m.Version != Untagged }

// Siblings names the modules of this repository that m requires.
func (m *Module) Siblings() []string {
	var names []string
	for _, r := range m.File.Require {
		if name, ok := strings.CutPrefix(r.Mod.Path, Prefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// Load reads versions.txt and each module's go.mod below root, in an order in
// which every module comes after those that it requires.
func Load(root string) ([]*Module, error) {
	modules, err := readVersions(root)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if m.File, err = parse(filepath.Join(m.Dir, "go.mod")); err != nil {
			return nil, err
		}
	}
	return leafFirst(modules)
}

func readVersions(root string) ([]*Module, error) {
	f, err := os.Open(filepath.Join(root, "versions.txt"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var modules []*Module
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("versions.txt: %q: want MODULE VERSION", s.Text())
		}
		modules = append(modules, &Module{Name: fields[0], Dir: filepath.Join(root, fields[0]), Version: fields[1]})
	}
	return modules, nil
}

func parse(path string) (*modfile.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(path, data, nil)
}

func leafFirst(modules []*Module) ([]*Module, error) {
	byName := map[string]*Module{}
	for _, m := range modules {
		byName[m.Name] = m
	}
	var ordered []*Module
	state := map[string]int{} // 1: being visited, 2: placed
	var visit func(m *Module) error
	visit = func(m *Module) error {
		switch state[m.Name] {
		case 1:
			return fmt.Errorf("module %s requires itself through its siblings", m.Name)
		case 2:
			return nil
		}
		state[m.Name] = 1
		for _, name := range m.Siblings() {
			sibling, ok := byName[name]
			if !ok {
				return fmt.Errorf("module %s requires %s, which versions.txt does not name", m.Name, name)
			}
			if err := visit(sibling); err != nil {
				return err
			}
		}
		state[m.Name] = 2
		ordered = append(ordered, m)
		return nil
	}
	for _, m := range modules {
		if err := visit(m); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}
