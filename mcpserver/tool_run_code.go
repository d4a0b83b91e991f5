package mcpserver

import (
	"context"
	"time"
)

// runCodeOutput is the structured result of run_code.
type runCodeOutput struct {
	Stdout      string       `json:"stdout"`
	Stderr      string       `json:"stderr"`
	ExitCode    int          `json:"exit_code"`
	OutputFiles []outputFile `json:"output_files"`
	Result      string       `json:"result"`
	SandboxID   string       `json:"sandbox_id"`
	Stateful    bool         `json:"stateful"`
	TimedOut    bool         `json:"timed_out"`
	Truncated   bool         `json:"truncated"`
	StdoutBytes int64        `json:"stdout_bytes"`
	StderrBytes int64        `json:"stderr_bytes"`
	FullOutput  string       `json:"full_output"`
	noted
}

type outputFile struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Size int64  `json:"size"`
}

const defaultCodeTimeout = 30 * time.Second

func runCode(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	timeout, err := in.Seconds("timeout", defaultCodeTimeout)
	if err != nil {
		return nil, err
	}
	box, err := s.Sandboxes.Use(ctx, in.String("sandbox_id"))
	if err != nil {
		return nil, err
	}
	language := in.StringOr("language", "python")
	if language == "shell" {
		language = "bash" // the interpreter's name for it
	}
	ran, err := box.RunCode(ctx, in.String("code"), &CodeOptions{
		Language: language, Envs: box.Envs, Timeout: timeout,
	})
	if err != nil {
		return nil, err
	}
	out := &runCodeOutput{
		Stdout: string(ran.Stdout.Head) + string(ran.Stdout.Tail), Stderr: string(ran.Stderr.Head) + string(ran.Stderr.Tail),
		OutputFiles: []outputFile{}, SandboxID: box.ID(), Stateful: true, TimedOut: ran.TimedOut,
		StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total,
	}
	for _, r := range ran.Results {
		if r.Main {
			out.Result = r.Data["text/plain"]
		}
	}
	if ran.Error != nil {
		out.ExitCode = 1
		out.Stderr += ran.Error.Traceback
	}
	return &Result{Structured: out}, nil
}
