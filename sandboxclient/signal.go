package sandboxclient

import "strings"

// Signal is a Linux signal number.
type Signal int

// Common signals.
const (
	SIGHUP  Signal = 1
	SIGINT  Signal = 2
	SIGQUIT Signal = 3
	SIGKILL Signal = 9
	SIGUSR1 Signal = 10
	SIGUSR2 Signal = 12
	SIGTERM Signal = 15
	SIGCONT Signal = 18
	SIGSTOP Signal = 19
)

// signalNames are Go's names of the Linux signals, as the status of an end
// event has them ("signal: killed"): envd is a Go program.
var signalNames = map[string]Signal{
	"hangup": 1, "interrupt": 2, "quit": 3, "illegal instruction": 4, "trace/breakpoint trap": 5,
	"aborted": 6, "bus error": 7, "floating point exception": 8, "killed": 9, "user defined signal 1": 10,
	"segmentation fault": 11, "user defined signal 2": 12, "broken pipe": 13, "alarm clock": 14,
	"terminated": 15, "stack fault": 16, "bad system call": 31,
	"CPU time limit exceeded": 24, "file size limit exceeded": 25, "virtual timer expired": 26, "profiling timer expired": 27,
}

// signalExit is the shell's exit code, 128+n, for the status of a process
// that signal n ended.
func signalExit(status string) int {
	name := strings.TrimSuffix(strings.TrimPrefix(status, "signal: "), " (core dumped)")
	if n, ok := signalNames[name]; ok {
		return 128 + int(n)
	}
	return exitUnknown
}
