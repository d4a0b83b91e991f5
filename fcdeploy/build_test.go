package fcdeploy_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindGiven(t *testing.T) {
	t.Parallel()
	good := write(t, filepath.Join(t.TempDir(), "abx"), string(linuxProgram()))
	binary, err := (&fcdeploy.BinarySource{Path: good, Self: "/nonexistent"}).Find(t.Context())
	if err != nil || !bytes.Equal(binary.Data, linuxProgram()) || binary.Origin != good {
		t.Errorf("got %+v, %v", binary, err)
	}
	bad := write(t, filepath.Join(t.TempDir(), "abx"), "#!/bin/sh\n")
	_, err = (&fcdeploy.BinarySource{Path: bad, Self: good}).Find(t.Context())
	if _, ok := errors.AsType[*fcdeploy.BinaryError](err); !ok {
		t.Errorf("a bad --binary must not fall back: %v", err)
	}
}

func TestFindSelf(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the running program is for another platform")
	}
	self := write(t, filepath.Join(t.TempDir(), "abx"), string(linuxProgram()))
	binary, err := (&fcdeploy.BinarySource{Self: self}).Find(t.Context())
	if err != nil || binary.Origin != "this program" {
		t.Errorf("got %+v, %v", binary, err)
	}
}

// As on macOS and Windows: the running program is not for Linux.
func foreignSelf(t *testing.T) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "abx"), "\xcf\xfa\xed\xfe mach-o")
}

func TestFindBuildsFromSource(t *testing.T) {
	t.Setenv("GOOS", "darwin")
	t.Setenv("GOARCH", "arm64")
	t.Setenv("GOBIN", t.TempDir())
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/tool\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	binary, err := (&fcdeploy.BinarySource{Self: foreignSelf(t), Dir: dir}).Find(t.Context())
	if err != nil || !strings.Contains(binary.Origin, dir) {
		t.Fatalf("got %+v, %v", binary, err)
	}
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() { undefined() }\n")
	_, err = (&fcdeploy.BinarySource{Self: foreignSelf(t), Dir: dir}).Find(t.Context())
	if err == nil || !strings.Contains(err.Error(), "undefined") || !strings.Contains(err.Error(), "--binary") {
		t.Errorf("broken source: %v", err)
	}
}

func TestFindBuildsAReleasedVersion(t *testing.T) {
	proxy := moduleProxy(t, "example.com/tool", "v1.2.3")
	t.Setenv("GOPROXY", "file://"+proxy)
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOWORK", "off")
	source := fcdeploy.BinarySource{Self: foreignSelf(t), Package: "example.com/tool", Version: "v1.2.3"}
	binary, err := source.Find(t.Context())
	if err != nil || binary.Origin != "built from example.com/tool@v1.2.3" {
		t.Fatalf("got %+v, %v", binary, err)
	}
	source.Version = "v9.9.9"
	if _, err := source.Find(t.Context()); err == nil || !strings.Contains(err.Error(), "v9.9.9") {
		t.Errorf("unknown version: %v", err)
	}
}

// moduleProxy is a file module proxy with one module: a program that does nothing.
func moduleProxy(t *testing.T, path, version string) string {
	t.Helper()
	root := t.TempDir()
	base := filepath.Join(root, path, "@v")
	mod := "module " + path + "\n\ngo 1.26\n"
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for name, text := range map[string]string{"go.mod": mod, "main.go": "package main\n\nfunc main() {}\n"} {
		entry, err := archive.Create(path + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(base, version+".info"), `{"Version":"`+version+`"}`)
	write(t, filepath.Join(base, version+".mod"), mod)
	write(t, filepath.Join(base, version+".zip"), out.String())
	return root
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	for _, source := range []fcdeploy.BinarySource{
		{GoTool: "no-such-go"}, {Package: "example.com/tool", Version: "(devel)"}, {Package: "example.com/tool", Version: "dev"},
	} {
		source.Self = foreignSelf(t)
		_, err := source.Find(t.Context())
		if _, ok := errors.AsType[*fcdeploy.NoBinaryError](err); !ok || !strings.Contains(err.Error(), "--binary") {
			t.Errorf("%+v: %v", source, err)
		}
	}
}
