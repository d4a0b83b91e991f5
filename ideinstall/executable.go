package ideinstall

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Executable is the absolute path under which this process was started, for a
// client to start it again. Links are kept where they are known: those of a
// package manager survive an upgrade, their targets do not. argv0 is os.Args[0].
func Executable(argv0 string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	called := argv0
	if !strings.ContainsAny(argv0, `/\`) {
		if called, err = exec.LookPath(argv0); err != nil {
			return self, nil
		}
	}
	if called, err = filepath.Abs(called); err != nil || !sameFile(called, self) {
		return self, nil
	}
	return called, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Temporary reports whether a program lies where it will not stay: a directory
// for temporary files, or the cache in which go run builds.
func Temporary(program string) bool {
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return true
	}
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		if rel, err := filepath.Rel(dir, program); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
