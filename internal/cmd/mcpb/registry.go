package main

import (
	"os"
	"path/filepath"
)

// download is where a release keeps its files; the slash of the tag is escaped.
const download = "https://github.com/agentsandbox/agent-sandbox/releases/download/abx%2Fv"

// writeRegistryEntry names each bundle with its digest, which clients check.
func writeRegistryEntry(version, dir string, bundles []bundle) error {
	entry, err := readTemplate(dir, "server.json")
	if err != nil {
		return err
	}
	packages := []map[string]any{}
	for _, b := range bundles {
		packages = append(packages, map[string]any{
			"registryType": "mcpb",
			"identifier":   download + version + "/" + b.Name,
			"version":      version,
			"fileSha256":   b.SHA256,
			"transport":    map[string]any{"type": "stdio"},
		})
	}
	entry["version"], entry["packages"] = version, packages
	data, err := encode(entry)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "dist", "server.json"), data, 0o644)
}
