package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
	"github.com/agentsandbox/agent-sandbox/internal/modproxy"
)

// prepareTree edits the tree at root for the release of set (module to version).
func prepareTree(root string, set map[string]string, date string) error {
	if err := setVersions(filepath.Join(root, "versions.txt"), set); err != nil {
		return err
	}
	modules, err := modgraph.Load(root)
	if err != nil {
		return err
	}
	for _, m := range modules {
		if set[m.Name] == "" {
			continue
		}
		if err := prepareModule(m, modules, set, date); err != nil {
			return fmt.Errorf("prepare %s: %w", m.Name, err)
		}
	}
	return workReplaces(filepath.Join(root, "go.work"), modules)
}

// prepareModule relies on the order of modules: a sibling's sum covers its own
// go.sum, which must be written before.
func prepareModule(m *modgraph.Module, modules []*modgraph.Module, set map[string]string, date string) error {
	text, err := readChangelog(m)
	if err != nil {
		return err
	}
	if text, err = releaseNotes(text, m.Version, date); err != nil {
		return err
	}
	if err := os.WriteFile(changelogPath(m), []byte(text), 0o644); err != nil {
		return err
	}
	if err := requireSet(m, set); err != nil {
		return err
	}
	for _, s := range modules {
		if set[s.Name] == "" || !requires(m, s.Name) {
			continue
		}
		sums, err := modproxy.Sums(s)
		if err != nil {
			return err
		}
		if err := modproxy.AddSums(filepath.Join(m.Dir, "go.sum"), s.Path(), sums); err != nil {
			return err
		}
	}
	return nil
}

func requires(m *modgraph.Module, sibling string) bool {
	for _, name := range m.Siblings() {
		if name == sibling {
			return true
		}
	}
	return false
}

// requireSet raises requirements inside the set only: who is not released now
// adopts a new sibling by an ordinary change.
func requireSet(m *modgraph.Module, set map[string]string) error {
	for name, version := range set {
		if requires(m, name) {
			if err := m.File.AddRequire(modgraph.Prefix+name, version); err != nil {
				return err
			}
		}
	}
	data, err := m.File.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.Dir, "go.mod"), data, 0o644)
}

func setVersions(path string, set map[string]string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(data)
	for name, version := range set {
		line := regexp.MustCompile(`(?m)^(` + regexp.QuoteMeta(name) + `\s+)\S+$`)
		text = line.ReplaceAllString(text, "${1}"+version)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// workReplaces gives go.work a line for each sibling version that some module
// requires; without it the workspace would ask the proxy for that version.
func workReplaces(path string, modules []*modgraph.Module) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork(path, data, nil)
	if err != nil {
		return err
	}
	for _, r := range work.Replace {
		if strings.HasPrefix(r.Old.Path, modgraph.Prefix) {
			if err := work.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return err
			}
		}
	}
	for _, m := range modules {
		for _, r := range m.File.Require {
			if name, ours := strings.CutPrefix(r.Mod.Path, modgraph.Prefix); ours {
				if err := work.AddReplace(r.Mod.Path, r.Mod.Version, "./"+name, ""); err != nil {
					return err
				}
			}
		}
	}
	work.SortBlocks()
	work.Cleanup()
	return os.WriteFile(path, modfile.Format(work.Syntax), 0o644)
}
