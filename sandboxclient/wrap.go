package sandboxclient

import (
	"crypto/rand"
	"strings"
)

// markerByte begins and ends the mark that a wrapped command prints when its
// shell ends (ASCII record separator: rare in output, harmless if seen).
const markerByte = 0x1e

// runVariable is in the environment of everything that a command starts, so
// that a kill finds processes that left its tree (setsid, double fork).
const runVariable = "ABX_RUN_ID"

// newRunID is random, so that no output can contain its mark by accident.
func newRunID() string { return rand.Text() }

// wrap makes the script that runs cmd in a subshell and prints a mark with its
// exit code on both output streams: each is a pipe of its own, and all that
// the shell printed stands before the mark. A child left in the background
// may hold the pipes open for hours; the mark says that the shell is done.
//
// eval keeps whatever cmd holds inside the quotes: syntax errors, unbalanced
// parentheses, a here-document or comment without a final newline, a final
// backslash.
func wrap(cmd, id string) string {
	mark := `printf '\036` + id + `:%d\036' "$1"`
	return "(eval " + quote(cmd) + ")\nset -- $?\n" + mark + "\n" + mark + " >&2\nexit $1"
}

// quote makes one word of s for any POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
