package mcpserver

import (
	"context"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
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
	language := in.StringOr("language", "python")
	if language == "shell" {
		language = "bash" // the interpreter's name for it
	}
	return s.Sandboxes.Do(ctx, in.String("sandbox_id"), timeout, func(box *Box) (*Result, error) {
		ran, err := box.RunCode(ctx, in.String("code"), &sandboxclient.CodeOptions{Language: language, Timeout: timeout})
		if err != nil {
			return nil, err
		}
		out := &runCodeOutput{
			Stdout: ran.Stdout.String(), Stderr: ran.Stderr.String(),
			OutputFiles: []outputFile{}, SandboxID: box.Handle, Stateful: true, TimedOut: ran.TimedOut,
			StdoutBytes: ran.Stdout.Total, StderrBytes: ran.Stderr.Total,
		}
		for _, r := range ran.Results {
			if r.IsMain {
				out.Result = r.Text
			}
		}
		if ran.Error != nil {
			out.ExitCode = 1
			out.Stderr += ran.Error.Traceback
		}
		return &Result{Structured: out}, nil
	})
}
