package mcpserver

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"time"
)

// createSandboxOutput is the structured result of create_sandbox.
type createSandboxOutput struct {
	SandboxID string `json:"sandbox_id"`
	Status    string `json:"status"`
	URL       string `json:"url"`
	Template  string `json:"template"`
	noted
}

const (
	defaultLife = 300 * time.Second
	envdPort    = 49983 // the port whose address create_sandbox gives
)

func createSandbox(ctx context.Context, s *Session, in *Arguments) (*Result, error) {
	life, err := in.Seconds("timeout", defaultLife)
	if err != nil {
		return nil, err
	}
	envs := in.StringMap("envs")
	if err := checkEnvs(envs); err != nil {
		return nil, err
	}
	box, err := s.Sandboxes.Create(ctx, &CreateRequest{Template: in.String("template"), Life: life, Envs: envs})
	if err != nil {
		return nil, err
	}
	out := &createSandboxOutput{SandboxID: box.Handle, Status: "running", Template: box.Template}
	res := &Result{Structured: out}
	if out.URL, err = box.URL(ctx, envdPort); err != nil {
		res.notef("The address of the sandbox is not known: %v.", err)
	}
	return res, nil
}

var envName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// checkEnvs refuses what no shell could hold, before a sandbox is made for it.
func checkEnvs(envs map[string]string) error {
	for name, value := range envs {
		if !envName().MatchString(name) {
			return invalidArgument("envs has the name %s; a name has letters, digits and underscores and does not begin with a digit.", quote(name))
		}
		if strings.ContainsRune(value, 0) {
			return invalidArgument("envs.%s must not hold a NUL character.", name)
		}
	}
	return nil
}
