package mcpserver

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// runCommandOutput is the structured result of run_command.
type runCommandOutput struct {
	Stdout      string `json:"stdout"`
	Stderr      string `json:"stderr"`
	ExitCode    int    `json:"exit_code"`
	SandboxID   string `json:"sandbox_id"`
	TimedOut    bool   `json:"timed_out"`
	Truncated   bool   `json:"truncated"`
	StdoutBytes int64  `json:"stdout_bytes"`
	StderrBytes int64  `json:"stderr_bytes"`
	FullOutput  string `json:"full_output"`
	noted
}

const defaultCommandTimeout = 60 * time.Second

func runCommand(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	timeout, err := in.Seconds("timeout", defaultCommandTimeout)
	if err != nil {
		return nil, err
	}
	cwd, err := in.optionalPath("cwd")
	if err != nil {
		return nil, err
	}
	command, err := in.text("command")
	if err != nil {
		return nil, err
	}
	seen := newCapture(ctx, s, in)
	defer seen.Close()
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), timeout, func(box *Box) (*Result, error) {
		ran, err := box.Run(ctx, command, &sandboxclient.RunOptions{
			Cwd: cwd, Timeout: timeout, MaxOutput: seen.kept(), OnStdout: seen.onBytes, OnStderr: seen.onBytes,
		})
		if err != nil && ran != nil {
			return nil, seen.broken(err, ran.Stdout, ran.Stderr)
		}
		if err != nil {
			return nil, err
		}
		return commandResult(ctx, box, command, timeout, seen, ran), nil
	})
}

func commandResult(ctx context.Context, box *Box, command string, timeout time.Duration, seen *capture, ran *sandboxclient.Result) *Result {
	shown := seen.shown(ctx, box, ran.Stdout, ran.Stderr)
	res := &Result{Structured: &runCommandOutput{
		Stdout: shown.stdout, Stderr: shown.stderr, ExitCode: ran.ExitCode, SandboxID: box.Handle,
		TimedOut: ran.TimedOut, Truncated: shown.truncated,
		StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total, FullOutput: shown.fullOutput,
	}}
	res.Notes = seen.notes
	if ran.TimedOut {
		res.Failure = toolErrorf(CodeTimeout, "The command was still running after %s and was killed with everything it had started. Its output until then is in the result. Pass a larger timeout, or end the command with & to leave it running.", timeout)
		res.Notes = append(res.Notes, res.Failure.Message)
	}
	if ran.KillErr != nil {
		res.notef("Processes of the command may still be running: %v.", ran.KillErr)
	}
	if !ran.TimedOut && leavesServer(command) {
		res.Notes = append(res.Notes, serverNotes(ctx, box)...)
	}
	return res
}

// background finds an & that puts a command into the background: not &&, not
// the & of a redirection.
var background = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[^&<>\\])&($|[^&>])`) })

var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'[^']*'|"[^"]*"`) })

// leavesServer tells whether a command line may leave something running.
func leavesServer(command string) bool {
	return background().MatchString(quoted().ReplaceAllString(strings.TrimSpace(command), "_"))
}

const examplePort = 8000

// serverNotes tells how to reach and how to stop what a command left running.
func serverNotes(ctx context.Context, box *Box) []string {
	notes := []string{"What this command left in the background runs on until it ends, is stopped with kill or pkill through run_command, or the sandbox ends."}
	url, err := box.URL(ctx, examplePort)
	if err != nil {
		return notes
	}
	return append(notes, "A server in the sandbox that listens on port 8000 is reached at "+url+"; replace 8000 for another port.")
}
