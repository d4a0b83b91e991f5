package fcdeploy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// BinarySource says where the Linux program for FC may come from.
type BinarySource struct {
	Path    string // given by the user; nothing else is tried then
	Self    string // the running program: used as it is where it runs on linux/amd64
	Dir     string // of the program's Go package, to build it from source
	Package string // import path to build where Dir is not given
	Version string // of Package, such as v1.2.3; a development version cannot be fetched
	GoTool  string // the go command; default "go"
}

// Binary is a program that FC can start.
type Binary struct {
	Data   []byte
	Origin string // for people: where it came from
}

// NoBinaryError lists why no source gave a program.
type NoBinaryError struct{ Tried []error }

// Error implements error.
func (e *NoBinaryError) Error() string {
	var text strings.Builder
	text.WriteString("no program for FC (linux/amd64)")
	for _, err := range e.Tried {
		text.WriteString("\n  " + err.Error())
	}
	text.WriteString("\n  give one with --binary, or install Go so that it can be built")
	return text.String()
}

// Unwrap gives what is behind the error.
func (e *NoBinaryError) Unwrap() []error { return e.Tried }

// Find returns the first program that passes [CheckBinary]: the one given, the
// running one, one built from source.
func (b *BinarySource) Find(ctx context.Context) (*Binary, error) {
	if b.Path != "" {
		data, err := ReadBinary(b.Path)
		return &Binary{Data: data, Origin: b.Path}, err
	}
	var tried []error
	for _, try := range []func(context.Context) (*Binary, error){b.self, b.build} {
		binary, err := try(ctx)
		if err == nil {
			return binary, nil
		}
		if ctx.Err() != nil {
			return nil, err
		}
		tried = append(tried, err)
	}
	return nil, &NoBinaryError{Tried: tried}
}

func (b *BinarySource) self(context.Context) (*Binary, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil, fmt.Errorf("use this program: it is for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	data, err := ReadBinary(b.Self)
	return &Binary{Data: data, Origin: "this program"}, err
}

// build cross-compiles with the user's Go, in a directory that it removes.
func (b *BinarySource) build(ctx context.Context) (*Binary, error) {
	tool, err := exec.LookPath(b.goTool())
	if err != nil {
		return nil, fmt.Errorf("build it: %w", err)
	}
	scratch, err := os.MkdirTemp("", "abx-build-")
	if err != nil {
		return nil, fmt.Errorf("build it: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }() // a leftover in the temp directory at worst
	dir, target, origin := b.Dir, ".", "built from "+b.Dir
	if dir == "" {
		dir, target, origin = scratch, b.Package, fmt.Sprintf("built from %s@%s", b.Package, b.Version)
		if err := b.fetch(ctx, tool, scratch); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(scratch, bootstrapName)
	if err := goCommand(ctx, tool, dir, "build", "-trimpath", "-ldflags", "-s -w", "-o", out, target); err != nil {
		return nil, fmt.Errorf("build it: %w", err)
	}
	data, err := ReadBinary(out)
	return &Binary{Data: data, Origin: origin}, err
}

func (b *BinarySource) goTool() string {
	if b.GoTool == "" {
		return "go"
	}
	return b.GoTool
}

// fetch makes a module that requires the package. "go install pkg@version" would
// refuse to cross-compile where GOBIN is set.
func (b *BinarySource) fetch(ctx context.Context, tool, dir string) error {
	if !strings.HasPrefix(b.Version, "v") || strings.Contains(b.Version, "devel") {
		return fmt.Errorf("build it: this is version %q, which cannot be downloaded; name its source with --source", b.Version)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module bootstrap\n"), 0o600); err != nil {
		return fmt.Errorf("build it: %w", err)
	}
	if err := goCommand(ctx, tool, dir, "get", b.Package+"@"+b.Version); err != nil {
		return fmt.Errorf("build it: %w", err)
	}
	return nil
}

func goCommand(ctx context.Context, tool, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), buildSetting), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("go %s: %s: %s", args[0], exit, strings.TrimSpace(string(out)))
	}
	return err
}

// buildSetting says whether a variable would make another program than the one
// for FC.
func buildSetting(pair string) bool {
	name, _, _ := strings.Cut(pair, "=")
	return slices.Contains([]string{"GOOS", "GOARCH", "CGO_ENABLED", "GOAMD64", "GOEXPERIMENT"}, name)
}
