package mcpserver

import "context"

// killSandboxOutput is the structured result of kill_sandbox.
type killSandboxOutput struct {
	Success     bool   `json:"success"`
	SandboxID   string `json:"sandbox_id"`
	AlreadyGone bool   `json:"already_gone"`
	noted
}

func killSandbox(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	killed, err := s.Sandboxes.Kill(ctx, in.String("sandbox_id"))
	if err != nil {
		return nil, err
	}
	return &Result{Structured: &killSandboxOutput{
		Success: true, SandboxID: killed.Handle, AlreadyGone: killed.AlreadyGone,
	}}, nil
}
