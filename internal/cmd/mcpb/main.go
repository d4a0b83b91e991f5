// Command mcpb packs the binaries of a goreleaser run as MCPB bundles, which
// Claude Desktop installs with a click, and writes the entry of the MCP registry
// that names them.
//
//	mcpb VERSION abx
//
// reads abx/dist/artifacts.json and the templates in abx/packaging; bundles and
// server.json go to abx/dist.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: mcpb VERSION DIR, not %q", args)
	}
	version, dir := strings.TrimPrefix(args[0], "v"), args[1]
	binaries, err := readBinaries(dir)
	if err != nil {
		return err
	}
	if len(binaries) == 0 {
		return fmt.Errorf("%s/dist/artifacts.json names no binary", dir)
	}
	var bundles []bundle
	for _, b := range binaries {
		packed, err := pack(version, dir, b)
		if err != nil {
			return fmt.Errorf("pack %s: %w", b.Path, err)
		}
		bundles = append(bundles, packed)
	}
	return writeRegistryEntry(version, dir, bundles)
}

// binary is an entry of goreleaser's artifacts.json; the path is relative to
// the module directory.
type binary struct {
	Path   string `json:"path"`
	GOOS   string `json:"goos"`
	GOARCH string `json:"goarch"`
	Type   string `json:"type"`
}

func readBinaries(dir string) ([]binary, error) {
	data, err := os.ReadFile(filepath.Join(dir, "dist", "artifacts.json"))
	if err != nil {
		return nil, err
	}
	var all, binaries []binary
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("read artifacts.json: %w", err)
	}
	for _, a := range all {
		if a.Type == "Binary" {
			binaries = append(binaries, a)
		}
	}
	return binaries, nil
}
