package ideinstall

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Env is the machine as this package sees it.
type Env struct {
	GOOS    string // "linux", "darwin" or "windows"
	Home    string // "" when unknown: then clients with files below it are refused
	Project string // root of the project for ScopeProject; absolute
	Getenv  func(string) string

	// Exists and Glob look at the file system.
	Exists func(path string) bool
	Glob   func(pattern string) []string

	// LookPath finds a program, "" when there is none. Run runs one without a
	// shell and returns its standard output. Both serve clients whose own
	// command is the safest way to edit their file.
	LookPath func(name string) string
	Run      func(ctx context.Context, name string, args ...string) ([]byte, error)

	Now func() time.Time
}

// System describes this process's machine. project is the directory for
// ScopeProject, "" for the working directory.
func System(project string) (*Env, error) {
	project, err := filepath.Abs(project)
	if err != nil {
		return nil, err
	}
	// Without a home directory only project files can be found; the targets say
	// so one by one.
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		home = ""
	}
	return &Env{
		GOOS: runtime.GOOS, Home: home, Project: project, Getenv: os.Getenv,
		Exists: exists, Glob: glob, LookPath: lookPath, Run: run, Now: time.Now,
	}, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func glob(pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return names
}

func lookPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	return exec.CommandContext(ctx, name, args...).Output()
}

// join builds a path in the manner of env.GOOS, which need not be this system.
func (env *Env) join(root string, segments ...string) string {
	sep := "/"
	if env.GOOS == "windows" {
		sep = `\`
	}
	parts := append([]string{strings.TrimRight(root, `/\`)}, segments...)
	return strings.Join(parts, sep)
}

// isAbs is filepath.IsAbs for env.GOOS.
func (env *Env) isAbs(path string) bool {
	if env.GOOS != "windows" {
		return strings.HasPrefix(path, "/")
	}
	drive := len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	return drive || strings.HasPrefix(path, `\\`)
}

// absEnv is the value of a variable that must hold an absolute path; a relative
// one is ignored, as the XDG specification asks.
func (env *Env) absEnv(name string) string {
	if v := env.Getenv(name); env.isAbs(v) {
		return v
	}
	return ""
}
