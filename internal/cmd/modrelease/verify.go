package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

// verify names everything that would make a release of the tree wrong, not the
// first thing only.
func (t *tree) verify() error {
	var all []error
	for _, m := range t.modules {
		all = append(all, t.verifyModule(m)...)
	}
	return errors.Join(all...)
}

func (t *tree) verifyModule(m *modgraph.Module) []error {
	var all []error
	fault := func(format string, args ...any) {
		all = append(all, fmt.Errorf(m.Name+": "+format, args...))
	}
	if m.File.Module.Mod.Path != m.Path() {
		fault("go.mod says module %s, its directory says %s", m.File.Module.Mod.Path, m.Path())
	}
	if len(m.File.Replace) > 0 {
		fault("go.mod has a replace: `go install` refuses such a module")
	}
	if !fileExists(m.Dir, "LICENSE") {
		fault("no LICENSE: the released zip holds its own directory only")
	}
	for _, name := range m.Siblings() {
		if s, err := t.find(name); err == nil && !s.Tagged() {
			fault("requires %s, which is never released", name)
		}
	}
	if !m.Tagged() {
		return all
	}
	if !semver.IsValid(m.Version) || semver.Canonical(m.Version) != m.Version {
		fault("versions.txt: %q is not a version vX.Y.Z", m.Version)
	}
	if _, err := readChangelog(m); err != nil {
		fault("%w", err)
	}
	for _, r := range m.File.Require {
		if name, ours := strings.CutPrefix(r.Mod.Path, modgraph.Prefix); ours {
			if s, err := t.find(name); err == nil && s.Tagged() && semver.Compare(r.Mod.Version, s.Version) > 0 {
				fault("requires %s, newer than the %s of versions.txt", r.Mod, s.Version)
			}
		}
	}
	return all
}

func fileExists(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Mode().IsRegular()
}
