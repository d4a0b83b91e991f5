package mcpserver

import (
	"context"
	"time"
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
	box, err := s.Sandboxes.Use(ctx, in.String("sandbox_id"))
	if err != nil {
		return nil, err
	}
	ran, err := box.Run(ctx, in.String("command"), &RunOptions{
		Cwd: in.String("cwd"), Envs: box.Envs, Timeout: timeout,
	})
	if err != nil {
		return nil, err
	}
	return &Result{Structured: &runCommandOutput{
		Stdout: string(ran.Stdout.Head) + string(ran.Stdout.Tail), Stderr: string(ran.Stderr.Head) + string(ran.Stderr.Tail),
		ExitCode: ran.ExitCode, SandboxID: box.ID(), TimedOut: ran.TimedOut,
		StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total,
	}}, nil
}
