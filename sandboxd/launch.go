package sandboxd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/egress"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// endGrace is how long a machine that hung up may take to say why.
const endGrace = time.Second

// sandboxUser is the account that everything in a sandbox runs as unless a
// request says otherwise; clients of the E2B protocol take it for granted.
const sandboxUser = "user"

// launchFunc makes the launcher of an isolation.
type launchFunc func(name string, opts *isolation.Options) (isolation.Launcher, error)

// chooseLauncher finds the isolation and makes sure that it works here.
func (s *Server) chooseLauncher() error {
	choose := s.settings.launch
	if choose == nil {
		choose = isolation.Choose
	}
	launcher, err := choose(s.settings.Isolation, &isolation.Options{
		StateDir: s.settings.StateDir, Logger: s.settings.Logger,
		AgentBinary: s.settings.AgentBinary, Image: s.settings.Image,
	})
	if err != nil {
		return err
	}
	if err := launcher.Probe(context.Background()); err != nil {
		return errors.Join(fmt.Errorf("isolation %s does not work here: %w", launcher.Name(), err), launcher.Close())
	}
	s.launcher = launcher
	return nil
}

// start is the lifecycle's StartFunc: it launches the machine of a sandbox
// and waits for its agent.
func (s *Server) start(ctx context.Context, sandbox *lifecycle.Sandbox) (lifecycle.Machine, error) {
	spec, err := s.isolationSpec(sandbox)
	if err != nil {
		return nil, err
	}
	machine, err := s.launcher.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	if err := awaitAgent(ctx, machine); err != nil {
		// Kill also makes the reason known to Wait.
		killErr := machine.Kill(context.WithoutCancel(ctx))
		return nil, errors.Join(err, killErr)
	}
	return machine, nil
}

func (s *Server) isolationSpec(sandbox *lifecycle.Sandbox) (*isolation.Spec, error) {
	config, err := json.Marshal(&agent.Config{
		User: sandboxUser, Workdir: s.settings.Workdir, Profile: agent.Profile(s.settings.profile.Name), Envs: sandbox.Spec.Envs,
		AccessToken: sandbox.Spec.AccessToken, SandboxID: sandbox.ID, TemplateID: sandbox.Spec.Template,
		Interpreter: hasInterpreter(sandbox),
	})
	if err != nil {
		return nil, fmt.Errorf("encode agent config: %w", err)
	}
	return &isolation.Spec{
		ID: sandbox.ID, Agent: config, Storage: s.settings.Storage, Image: s.settings.Image,
		Limits:     isolation.Limits{Processes: s.settings.Processes, Memory: s.settings.MemoryBytes},
		Toolchains: s.settings.Toolchains, Internet: s.policy(&sandbox.Spec.Network),
	}, nil
}

// policy is what a sandbox may reach of the internet, nil for nothing.
func (s *Server) policy(n *lifecycle.Network) *egress.Policy {
	allowed := s.settings.internet()
	if n.Internet != nil {
		allowed = *n.Internet
	}
	if !allowed {
		return nil
	}
	return &egress.Policy{Allow: n.AllowOut, Deny: n.DenyOut}
}

// awaitAgent returns once the agent answers, or with the reason why the
// machine ended.
func awaitAgent(ctx context.Context, machine isolation.Sandbox) error {
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return machine.Dial(ctx) },
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://agent"+api.PathHealth, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("first request to the agent: %w", errors.Join(err, whyEnded(machine)))
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		return fmt.Errorf("first request to the agent: got status %d", res.StatusCode)
	}
	return nil
}

// whyEnded is the machine's own reason, when it has just ended.
func whyEnded(machine isolation.Sandbox) error {
	ended := make(chan error, 1)
	go func() { ended <- machine.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(endGrace):
		return nil
	}
}
