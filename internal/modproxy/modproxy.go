// Package modproxy writes a file-based Go module proxy from a working tree, so
// that commands outside the workspace see the modules as if they were released.
package modproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

// Write packs every tagged module into dir, in the layout of the GOPROXY
// protocol (https://go.dev/ref/mod#goproxy-protocol).
func Write(dir string, modules []*modgraph.Module) error {
	for _, m := range modules {
		if !m.Tagged() {
			continue
		}
		if err := writeModule(dir, m); err != nil {
			return fmt.Errorf("pack %s: %w", m.Name, err)
		}
	}
	return nil
}

func writeModule(dir string, m *modgraph.Module) error {
	escaped, err := module.EscapePath(m.Path())
	if err != nil {
		return err
	}
	base := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(base, 0o755); err != nil {
		return err
	}
	gomod, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		return err
	}
	info := fmt.Sprintf(`{"Version":%q,"Time":%q}`, m.Version, time.Unix(0, 0).UTC().Format(time.RFC3339))
	for name, content := range map[string]string{
		"list": m.Version + "\n", m.Version + ".mod": string(gomod), m.Version + ".info": info,
	} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return writeZip(filepath.Join(base, m.Version+".zip"), m)
}

func writeZip(path string, m *modgraph.Module) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}()
	files, err := tracked(m.Dir)
	if err != nil {
		return err
	}
	return modzip.Create(f, module.Version{Path: m.Path(), Version: m.Version}, files)
}
