package mcpserver

import "context"

// createSandboxOutput is the structured result of create_sandbox.
type createSandboxOutput struct {
	SandboxID string `json:"sandbox_id"`
	Status    string `json:"status"`
	URL       string `json:"url"`
	Template  string `json:"template"`
	noted
}

func createSandbox(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	life, err := in.Seconds("timeout", 0)
	if err != nil {
		return nil, err
	}
	box, err := s.Sandboxes.Create(ctx, &CreateRequest{
		Template: in.String("template"), Life: life, Envs: in.StringMap("envs"),
	})
	if err != nil {
		return nil, err
	}
	return &Result{Structured: &createSandboxOutput{
		SandboxID: box.ID(), Status: "running", Template: box.Template(),
	}}, nil
}
