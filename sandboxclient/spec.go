package sandboxclient

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/process"
)

// processSpec says what to start.
type processSpec struct {
	op                 string
	cmd, cwd, user     string
	envs               map[string]string
	timeout            time.Duration
	pty                *TerminalSize
	stdin              bool      // keep stdin open
	input              io.Reader // sent to stdin, which is then closed
	onStdout, onStderr func([]byte)
	maxOutput          int
}

// request is the wire form; a wrapped command prints its mark in the end.
func (s *processSpec) request(id string, wrapped bool) *process.StartRequest {
	envs := map[string]string{runVariable: id}
	for name, value := range s.envs {
		envs[name] = value
	}
	config := &process.ProcessConfig{Cmd: "/bin/bash", Envs: envs}
	if s.cwd != "" {
		config.Cwd = &s.cwd
	}
	request := &process.StartRequest{Process: config}
	switch {
	case s.pty != nil:
		config.Args = s.terminalArgs()
		request.Pty = s.pty.wire()
	case wrapped:
		config.Args = []string{"-l", "-c", wrap(s.cmd, id)}
		request.Stdin = &s.stdin
	}
	return request
}

func (s *processSpec) terminalArgs() []string {
	if s.cmd == "" {
		return []string{"-i", "-l"}
	}
	return []string{"-l", "-c", s.cmd}
}

// maxCommand is the longest single argument that Linux passes to a program
// (MAX_ARG_STRLEN), less what the wrapper around the command needs.
const maxCommand = 128<<10 - 512

func (s *processSpec) check() error {
	switch {
	case s.timeout < 0:
		return fmt.Errorf("timeout %v is negative; 0 means none", s.timeout)
	case strings.ContainsRune(s.cmd, 0):
		return errors.New("the command holds a NUL byte")
	case strings.ContainsRune(s.cwd, 0):
		return errors.New("cwd holds a NUL byte")
	case len(s.cmd) > maxCommand:
		return fmt.Errorf("the command has %d bytes, %d are possible: write it to a file and run that", len(s.cmd), maxCommand)
	}
	return checkEnvs(s.envs)
}

// checkEnvs refuses names and values that no environment can hold.
func checkEnvs(envs map[string]string) error {
	for name, value := range envs {
		switch {
		case name == "":
			return errors.New("envs has an empty name")
		case strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == '=' || r == 0x7f }):
			return fmt.Errorf("envs name %q holds a blank, a control character or '='", name)
		case strings.ContainsRune(value, 0):
			return fmt.Errorf("the value of envs name %q holds a NUL byte", name)
		}
	}
	return nil
}
