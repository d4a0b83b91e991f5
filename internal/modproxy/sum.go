package modproxy

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/agentsandbox/agent-sandbox/internal/modgraph"
)

// Sums gives the two go.sum lines of a module as it stands in the tree: what
// the checksum database will say once the same content is tagged.
func Sums(m *modgraph.Module) ([]string, error) {
	scratch, err := os.MkdirTemp("", "modproxy")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	zip := filepath.Join(scratch, "module.zip")
	if err := writeZip(zip, m); err != nil {
		return nil, fmt.Errorf("pack %s: %w", m.Name, err)
	}
	content, err := dirhash.HashZip(zip, dirhash.Hash1)
	if err != nil {
		return nil, err
	}
	gomod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return os.Open(filepath.Join(m.Dir, "go.mod"))
	})
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprintf("%s %s %s", m.Path(), m.Version, content),
		fmt.Sprintf("%s %s/go.mod %s", m.Path(), m.Version, gomod),
	}, nil
}

// AddSums puts lines into a go.sum, in place of those of the same module.
func AddSums(path, module string, lines []string) error {
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	all := slices.Clone(lines)
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, module+" ") {
			all = append(all, strings.TrimSuffix(line, "\n"))
		}
	}
	slices.Sort(all)
	var out bytes.Buffer
	for _, line := range all {
		out.WriteString(line + "\n")
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}
