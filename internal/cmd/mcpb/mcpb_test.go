package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "../../../abx"

// dist is a module directory with the real templates and binaries of two systems.
func dist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "packaging"), os.DirFS(filepath.Join(module, "packaging"))); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		"dist/abx_linux_arm64_v8.0/abx":     "a linux program",
		"dist/abx_windows_amd64_v1/abx.exe": "a windows program",
		"dist/artifacts.json": `[
			{"name":"abx","path":"dist/abx_linux_arm64_v8.0/abx","goos":"linux","goarch":"arm64","type":"Binary"},
			{"name":"abx.exe","path":"dist/abx_windows_amd64_v1/abx.exe","goos":"windows","goarch":"amd64","type":"Binary"},
			{"name":"abx.zip","path":"dist/abx.zip","goos":"windows","goarch":"amd64","type":"Archive"}]`,
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBundles(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	if err := run([]string{"v1.2.3", dir}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ platform, program, content string }{
		"abx_1.2.3_linux_arm64.mcpb":   {"linux", "server/abx", "a linux program"},
		"abx_1.2.3_windows_amd64.mcpb": {"win32", "server/abx.exe", "a windows program"},
	} {
		r, err := zip.OpenReader(filepath.Join(dir, "dist", name))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var m manifest
		if err := json.Unmarshal(member(t, &r.Reader, "manifest.json"), &m); err != nil {
			t.Fatal(err)
		}
		if m.Version != "1.2.3" || m.Server.EntryPoint != want.program || m.Server.Config.Command != "${__dirname}/"+want.program ||
			!slices.Equal(m.Compatibility.Platforms, []string{want.platform}) {
			t.Errorf("%s: manifest %+v", name, m)
		}
		if got := member(t, &r.Reader, want.program); string(got) != want.content {
			t.Errorf("%s: %s holds %q", name, want.program, got)
		}
		if mode := r.File[1].Mode(); mode.Perm() != 0o755 {
			t.Errorf("%s: the program has mode %v", name, mode)
		}
	}
}

type manifest struct {
	Version string `json:"version"`
	Server  struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string            `json:"command"`
			Env     map[string]string `json:"env"`
		} `json:"mcp_config"`
	} `json:"server"`
	UserConfig    map[string]any `json:"user_config"`
	Compatibility struct {
		Platforms []string `json:"platforms"`
	} `json:"compatibility"`
}

func member(t *testing.T, r *zip.Reader, name string) []byte {
	t.Helper()
	f, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRegistryEntryNamesTheBundles(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	if err := run([]string{"1.2.3", dir}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "dist/server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entry struct {
		Name, Version, Description string
		Packages                   []struct{ RegistryType, Identifier, FileSha256 string }
	}
	if err := json.Unmarshal(data, &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Version != "1.2.3" || len(entry.Packages) != 2 || len(entry.Description) > 100 {
		t.Fatalf("%+v", entry)
	}
	for _, p := range entry.Packages {
		bundle, err := os.ReadFile(filepath.Join(dir, "dist", filepath.Base(p.Identifier)))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(bundle); p.FileSha256 != hex.EncodeToString(sum[:]) || p.RegistryType != "mcpb" {
			t.Errorf("%+v does not describe the bundle", p)
		}
		if !strings.Contains(p.Identifier, "/releases/download/abx%2Fv1.2.3/") {
			t.Errorf("%s is not where the release is", p.Identifier)
		}
	}
}

// Every ${user_config.X} must be declared, or the client leaves it as it is.
func TestManifestDeclaresWhatItUses(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(module, "packaging/manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	for name, value := range m.Server.Config.Env {
		key := strings.TrimSuffix(strings.TrimPrefix(value, "${user_config."), "}")
		setting, ok := m.UserConfig[key].(map[string]any)
		if !ok || setting["default"] == nil {
			t.Errorf("%s is %s, which user_config does not declare with a default", name, value)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	if err := run([]string{"v1.0.0"}); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Error(err)
	}
	if err := run([]string{"v1.0.0", t.TempDir()}); err == nil || !strings.Contains(err.Error(), "artifacts.json") {
		t.Error(err)
	}
}
