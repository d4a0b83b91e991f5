package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// bundle is a packed file and what the registry wants to know of it.
type bundle struct{ Name, SHA256 string }

// platforms are the names that MCPB has for operating systems.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// pack makes one bundle for one system: a manifest can tell systems apart, but
// not processors.
func pack(version, dir string, b binary) (bundle, error) {
	program, err := os.ReadFile(filepath.Join(dir, b.Path))
	if err != nil {
		return bundle{}, err
	}
	name := filepath.Base(b.Path)
	manifest, err := manifestFor(version, dir, b.GOOS, "server/"+name)
	if err != nil {
		return bundle{}, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	if err := add(w, "manifest.json", manifest, 0o644); err != nil {
		return bundle{}, err
	}
	if err := add(w, "server/"+name, program, 0o755); err != nil {
		return bundle{}, err
	}
	if err := w.Close(); err != nil {
		return bundle{}, err
	}
	sum := sha256.Sum256(out.Bytes())
	packed := bundle{Name: fmt.Sprintf("abx_%s_%s_%s.mcpb", version, b.GOOS, b.GOARCH), SHA256: hex.EncodeToString(sum[:])}
	return packed, os.WriteFile(filepath.Join(dir, "dist", packed.Name), out.Bytes(), 0o644)
}

// add writes with a fixed time: the same input gives the same bundle.
func add(w *zip.Writer, name string, data []byte, mode os.FileMode) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	header.SetMode(mode)
	f, err := w.CreateHeader(header)
	if err == nil {
		_, err = f.Write(data)
	}
	return err
}

func manifestFor(version, dir, goos, program string) ([]byte, error) {
	manifest, err := readTemplate(dir, "manifest.json")
	if err != nil {
		return nil, err
	}
	server, ok := manifest["server"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("manifest.json has no server object")
	}
	config, ok := server["mcp_config"].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("manifest.json has no server.mcp_config object")
	}
	manifest["version"] = version
	server["entry_point"] = program
	config["command"] = "${__dirname}/" + program
	manifest["compatibility"] = map[string]any{"platforms": []string{platforms[goos]}}
	return encode(manifest)
}

func readTemplate(dir, name string) (map[string]any, error) {
	data, err := os.ReadFile(filepath.Join(dir, "packaging", name))
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return document, nil
}

func encode(document any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document)
	return out.Bytes(), err
}
