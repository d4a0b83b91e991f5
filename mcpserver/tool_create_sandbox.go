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

// envdPort is the port whose address create_sandbox gives.
const envdPort = 49983

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
	url, err := box.URL(ctx, envdPort)
	if err != nil {
		return nil, err
	}
	return &Result{Structured: &createSandboxOutput{
		SandboxID: box.Handle, Status: "running", URL: url, Template: box.Template,
	}}, nil
}
