package fcdeploy_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/fcdeploy"
)

// tinyELF is the smallest file that FC's loader and ours read as a program.
func tinyELF(machine elf.Machine, kind elf.Type, segments ...elf.ProgType) []byte {
	var out bytes.Buffer
	header := elf.Header64{
		Type: uint16(kind), Machine: uint16(machine), Version: 1,
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(len(segments)), Shentsize: 64,
	}
	copy(header.Ident[:], "\x7fELF")
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	_ = binary.Write(&out, binary.LittleEndian, header)
	for _, segment := range segments {
		_ = binary.Write(&out, binary.LittleEndian, elf.Prog64{Type: uint32(segment)})
	}
	return out.Bytes()
}

func linuxProgram() []byte { return tinyELF(elf.EM_X86_64, elf.ET_EXEC, elf.PT_LOAD) }

func TestCheckBinary(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data []byte
		want string // part of the problem; empty: accepted
	}{
		"static":       {linuxProgram(), ""},
		"static pie":   {tinyELF(elf.EM_X86_64, elf.ET_DYN, elf.PT_LOAD, elf.PT_DYNAMIC), ""},
		"dynamic":      {tinyELF(elf.EM_X86_64, elf.ET_DYN, elf.PT_INTERP, elf.PT_LOAD), "CGO_ENABLED=0"},
		"arm":          {tinyELF(elf.EM_AARCH64, elf.ET_EXEC, elf.PT_LOAD), "x86-64 only"},
		"object":       {tinyELF(elf.EM_X86_64, elf.ET_REL), "not a program"},
		"shell script": {[]byte("#!/bin/sh\nexec true\n"), "not a Linux program"},
		"mach-o":       {[]byte{0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1}, "not a Linux program"},
		"empty":        {nil, "not a Linux program"},
		"cut header":   {linuxProgram()[:40], "not a Linux program"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := fcdeploy.CheckBinary("prog", bytes.NewReader(test.data))
			if test.want == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			var binaryErr *fcdeploy.BinaryError
			if !errors.As(err, &binaryErr) || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want a BinaryError with %q", err, test.want)
			}
		})
	}
}

func FuzzCheckBinary(f *testing.F) {
	f.Add(linuxProgram())
	f.Add([]byte("\x7fELF"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = fcdeploy.CheckBinary("prog", bytes.NewReader(data)) // must not panic
	})
}

func TestReadBinaryBuiltByGo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prog")
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, platform := range []struct {
		goos, goarch string
		ok           bool
	}{{"linux", "amd64", true}, {"darwin", "arm64", false}} {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", path, source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform.goos, "GOARCH="+platform.goarch, "GOWORK=off")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build for %s/%s: %v\n%s", platform.goos, platform.goarch, err, out)
		}
		if _, err := fcdeploy.ReadBinary(path); (err == nil) != platform.ok {
			t.Errorf("%s/%s: got %v, want accepted %v", platform.goos, platform.goarch, err, platform.ok)
		}
	}
}
