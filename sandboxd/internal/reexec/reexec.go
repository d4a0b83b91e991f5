// Package reexec runs this same executable again in another role: the first
// process of a sandbox, its supervisor, its agent. One binary stays one file
// to copy, and what runs inside a sandbox is always the version outside it.
package reexec

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Name is how a process knows that it was started in a role: the base name of
// argv[0]. No user types it, so an ordinary start is never mistaken for one.
const Name = "abx-sandbox"

// Roles maps the name of a role to the function that is its whole life.
type Roles map[string]func() error

// ExitError is returned by a role that wants a particular exit status.
type ExitError struct{ Code int }

// Error implements error.
func (e *ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// Dispatch returns at once in an ordinary process. In a process that Command
// or Args started it runs the role and never returns.
func Dispatch(roles Roles) {
	if len(os.Args) != 2 || filepath.Base(os.Args[0]) != Name {
		return
	}
	run, ok := roles[os.Args[1]]
	if !ok {
		fail(fmt.Errorf("unknown role %q", os.Args[1]))
	}
	if err := run(); err != nil {
		fail(err)
	}
	os.Exit(0)
}

func fail(err error) {
	if exit, ok := errors.AsType[*ExitError](err); ok {
		os.Exit(exit.Code)
	}
	fmt.Fprintln(os.Stderr, Name+":", err)
	os.Exit(1)
}

// Args is the argument vector that makes this executable take the role.
func Args(role string) []string { return ArgsAt(Name, role) }

// ArgsAt is Args for an executable at a path whose base name is Name.
func ArgsAt(path, role string) []string { return []string{path, role} }

// Command prepares the role as a child process with an empty environment.
func Command(role string) (*exec.Cmd, error) {
	path, err := self()
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: path, Args: Args(role), Env: []string{}}, nil
}
