package fcdeploy

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"os"
)

// BinaryError says why a file cannot run on FC.
type BinaryError struct {
	Path    string
	Problem string
	Err     error // nil, or why the file could not be read as ELF
}

// Error implements error.
func (e *BinaryError) Error() string {
	text := "use " + e.Path + " on FC: " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives what is behind the error.
func (e *BinaryError) Unwrap() error { return e.Err }

// ReadBinary reads a program and checks that FC can start it: a 64-bit x86
// Linux ELF executable without a dynamic loader. A wrong one would show only as
// "exec format error" or "no such file" in the logs of the function.
func ReadBinary(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read binary: %w", err)
	}
	if err := CheckBinary(path, bytes.NewReader(data)); err != nil {
		return nil, err
	}
	return data, nil
}

// CheckBinary is the check of [ReadBinary]; path is used in the error only.
func CheckBinary(path string, r io.ReaderAt) error {
	file, err := elf.NewFile(r)
	if err != nil {
		return &BinaryError{Path: path, Problem: "it is not a Linux program", Err: err}
	}
	problem := elfProblem(file)
	if problem == "" {
		return nil
	}
	return &BinaryError{Path: path, Problem: problem}
}

func elfProblem(file *elf.File) string {
	switch {
	case file.Class != elf.ELFCLASS64 || file.Machine != elf.EM_X86_64:
		return fmt.Sprintf("it is for %v (%v), FC runs x86-64 only", file.Machine, file.Class)
	case file.OSABI != elf.ELFOSABI_NONE && file.OSABI != elf.ELFOSABI_LINUX:
		return fmt.Sprintf("it is for %v, not for Linux", file.OSABI)
	case file.Type != elf.ET_EXEC && file.Type != elf.ET_DYN:
		return fmt.Sprintf("it is %v, not a program", file.Type)
	}
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_INTERP {
			return "it is dynamically linked; build it with CGO_ENABLED=0"
		}
	}
	return ""
}
