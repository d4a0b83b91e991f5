package mcpserver

import (
	"context"
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
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), timeout, func(box *Box) (*Result, error) {
		ran, err := box.Run(ctx, in.String("command"), &sandboxclient.RunOptions{
			Cwd: in.String("cwd"), Timeout: timeout,
		})
		if err != nil {
			return nil, err
		}
		return &Result{Structured: &runCommandOutput{
			Stdout: ran.Stdout.String(), Stderr: ran.Stderr.String(),
			ExitCode: ran.ExitCode, SandboxID: box.Handle, TimedOut: ran.TimedOut,
			StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total,
		}}, nil
	})
}
