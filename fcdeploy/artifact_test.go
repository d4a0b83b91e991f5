package fcdeploy_test

import (
	"archive/zip"
	"bytes"
	"flag"
	"hash/crc64"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	testToken = "token-that-no-file-may-hold"
	testKey   = "key-that-no-file-may-hold"
)

func fullSpec() fcdeploy.Spec {
	return fcdeploy.Spec{
		MinInstances: 1,
		Domain:       &fcdeploy.CustomDomain{Name: "mcp.example.com", Certificate: []byte("-----BEGIN CERTIFICATE-----"), PrivateKey: "private-key-bytes"},
		Server: fcdeploy.ServerSettings{AuthToken: testToken, SandboxAPIKey: testKey,
			BaseURL: "https://api.cn-hangzhou.e2b.fc.aliyuncs.com", SandboxDomain: "cn-hangzhou.e2b.fc.aliyuncs.com"},
		Env: map[string]string{"EXTRA": "extra-value-that-no-file-may-hold"},
	}
}

func TestArtifactGolden(t *testing.T) {
	t.Parallel()
	python := fcdeploy.Spec{Flavor: fcdeploy.FlavorPython, Affinity: fcdeploy.AffinityNone, MemoryMB: 1024, Timeout: 90 * time.Second}
	for name, spec := range map[string]fcdeploy.Spec{
		"default": {}, "full": fullSpec(), "python": python, "fc2": {FCAPI: fcdeploy.API2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			artifact, err := fcdeploy.WriteArtifact(dir, spec, linuxProgram())
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range artifact.Files {
				if file != "bootstrap" && file != "code.zip" {
					golden(t, filepath.Join("testdata", "artifact", name, file), filepath.Join(dir, file), artifact.Code)
				}
			}
		})
	}
}

// golden leaves out the figures of the zip, which belong to the Go release.
func golden(t *testing.T, wantPath, gotPath string, code *fcdeploy.Code) {
	t.Helper()
	data, err := os.ReadFile(gotPath)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(code.CRC64, "CRC64", code.SHA256, "SHA256", "size: "+strconv.Itoa(len(code.Zip)), "size: SIZE").Replace(string(data))
	if *update {
		if err := os.MkdirAll(filepath.Dir(wantPath), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(wantPath, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(wantPath)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update rewrites it):\n%s", wantPath, got)
	}
}

func TestArtifactFilesAndModes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := fcdeploy.WriteArtifact(dir, fcdeploy.Spec{Flavor: fcdeploy.FlavorPython}, linuxProgram()); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{
		"bootstrap": 0o755, "code.zip": 0o644, "config.yaml": 0o600, "s.yaml": 0o644, "README.md": 0o644,
		".env.example": 0o644, "ram-policy.json": 0o644, "app.py": 0o644, "requirements.txt": 0o644,
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode, ok := want[entry.Name()]; !ok || info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v", entry.Name(), info.Mode(), mode)
		}
		delete(want, entry.Name())
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestArtifactIsDeterministicAndHoldsNoSecret(t *testing.T) {
	t.Parallel()
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, dir := range []string{first, second, second} { // the third replaces the second
		if _, err := fcdeploy.WriteArtifact(dir, fullSpec(), linuxProgram()); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(first, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		a, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(second, entry.Name()))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between two runs (%v)", entry.Name(), err)
		}
		for _, secret := range []string{testToken, testKey, "private-key-bytes", "extra-value"} {
			if bytes.Contains(a, []byte(secret)) {
				t.Errorf("%s holds %q", entry.Name(), secret)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCodeZip(t *testing.T) {
	t.Parallel()
	code, err := fcdeploy.PackCode(fcdeploy.FlavorPython, linuxProgram())
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(code.Zip), int64(len(code.Zip)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"bootstrap", "app.py", "requirements.txt"}) {
		t.Errorf("entries: %v", names)
	}
	// Upper half of the attributes: Unix mode of a regular file, rwxr-xr-x; creator 3 is Unix.
	if f := archive.File[0]; f.ExternalAttrs>>16 != 0o100755 || f.CreatorVersion>>8 != 3 {
		t.Errorf("bootstrap has mode %o from system %d", f.ExternalAttrs>>16, f.CreatorVersion>>8)
	}
	if want := strconv.FormatUint(crc64.Checksum(code.Zip, crc64.MakeTable(crc64.ECMA)), 10); code.CRC64 != want {
		t.Errorf("checksum %s, want %s", code.CRC64, want)
	}
}

// The check value of CRC-64/ECMA-182, reflected, as the API documents it.
func TestChecksumAlgorithm(t *testing.T) {
	t.Parallel()
	if got := fcdeploy.Checksum([]byte("123456789")); got != "11051210869376104954" {
		t.Errorf("got %s", got)
	}
}

// The keys that the deployment manifest is documented with.
func TestManifestKeys(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := fcdeploy.WriteArtifact(dir, fullSpec(), linuxProgram()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := yaml.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"function_name", "region", "runtime", "handler", "memory", "timeout", "environment_variables", "http_trigger", "custom_domain"} {
		if _, ok := got[key]; !ok {
			t.Errorf("no key %q", key)
		}
	}
	trigger := got["http_trigger"].(map[string]any)
	if trigger["enable_session_affinity"] != true || !slices.Equal(trigger["methods"].([]any), []any{"POST", "GET", "DELETE"}) {
		t.Errorf("http_trigger: %v", trigger)
	}
}

func TestForeignDirectoryIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(dir string) error{
		"other file": func(dir string) error { return os.WriteFile(filepath.Join(dir, "main.go"), []byte("mine"), 0o600) },
		"same name":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "README.md"), []byte("mine"), 0o600) },
		"other config": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("a: 1\n"), 0o600)
		},
		"directory":     func(dir string) error { return os.Mkdir(filepath.Join(dir, "bootstrap"), 0o700) },
		"symbolic link": func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "s.yaml")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			before := names(t, dir)
			_, err := fcdeploy.WriteArtifact(dir, fcdeploy.Spec{}, linuxProgram())
			if _, ok := err.(*fcdeploy.ForeignFilesError); !ok {
				t.Errorf("got %v, want a ForeignFilesError", err)
			}
			if after := names(t, dir); !slices.Equal(before, after) {
				t.Errorf("directory changed from %v to %v", before, after)
			}
		})
	}
}

func TestNothingIsWrittenForABadSpec(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := fcdeploy.WriteArtifact(dir, fcdeploy.Spec{Name: "1"}, linuxProgram()); err == nil {
		t.Error("accepted")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("directory exists: %v", err)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, len(entries))
	for i, entry := range entries {
		out[i] = entry.Name()
	}
	return out
}
