package process

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

const shell = "/bin/sh"

// Exit codes of a program that could not be run, as env and nice use them.
const (
	exitNotFound = 127
	exitCannot   = 126
)

// substitute is the command to run in place of one whose exec failed: a shell
// for a script without interpreter line, as execvp does it, or a process that
// prints the reason and exits 127 or 126 (envd contract: missing program).
// Nil means that the failure lies elsewhere and is an error of the call.
func substitute(cmd *exec.Cmd, err error) *exec.Cmd {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return nil
	}
	switch {
	case errno == syscall.ENOEXEC:
		return copyOf(cmd, shell, append([]string{shell, cmd.Path}, cmd.Args[1:]...)...)
	case errno == syscall.ENOENT, cmd.Path == nowhere:
		return complain(cmd, syscall.ENOENT, exitNotFound)
	case errno == syscall.EACCES && !executable(cmd.Path), errno == syscall.ENOTDIR && isDir(cmd.Dir):
		return complain(cmd, errno, exitCannot)
	}
	return nil
}

func complain(cmd *exec.Cmd, errno syscall.Errno, code int) *exec.Cmd {
	text := "envd: '" + cmd.Args[0] + "': " + errno.Error()
	return copyOf(cmd, shell, shell, "-c", `printf '%s\n' "$1" >&2; exit "$2"`, shell, text, strconv.Itoa(code))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
