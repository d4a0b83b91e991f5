package sandboxclient

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Sandbox is a handle on one sandbox. It is safe for concurrent use; dropping
// it leaves the sandbox alone.
type Sandbox struct {
	ID         string
	TemplateID string
	// Domain is where its ports are reached, see URL.
	Domain string
	// EnvdVersion is the version of the daemon inside, such as "0.6.13"; what
	// the sandbox can do follows from it.
	EnvdVersion string

	Commands *Commands
	Files    *Files
	Code     *Interpreter

	client       *Client
	accessToken  string
	trafficToken string
	version      envdVersion
	envd         *dataPlane
	interpreter  *dataPlane
	rpc          [2]*rpcClients // by codec
	jsonOnly     atomic.Bool    // envd refused protobuf
}

var sandboxID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]+$`) })

// sandbox makes the handle of what create, connect and resume answered.
func (c *Client) sandbox(op string, wire *api.Sandbox) (*Sandbox, error) {
	if !sandboxID().MatchString(wire.SandboxID) {
		return nil, &Error{Op: op, Code: CodeOutcomeUnknown, Err: fmt.Errorf("the answer names no usable sandbox id: %q", wire.SandboxID)}
	}
	s := &Sandbox{
		ID: wire.SandboxID, TemplateID: wire.TemplateID, Domain: c.endpoint.domain, EnvdVersion: wire.EnvdVersion,
		client: c, accessToken: wire.EnvdAccessToken, version: parseEnvdVersion(wire.EnvdVersion),
	}
	if wire.Domain != nil && *wire.Domain != "" {
		s.Domain = *wire.Domain
	}
	if wire.TrafficAccessToken != nil {
		s.trafficToken = *wire.TrafficAccessToken
	}
	if err := s.checkDomain(); err != nil {
		return nil, &Error{Op: op, Code: CodeOutcomeUnknown, SandboxID: s.ID, Err: err}
	}
	s.envd = newDataPlane(s, api.EnvdPort)
	s.interpreter = newDataPlane(s, api.InterpreterPort)
	s.rpc = newRPCClients(s.envd)
	s.jsonOnly.Store(!s.version.atLeast(envdProtobuf))
	s.Commands, s.Files, s.Code = &Commands{s}, &Files{s}, newInterpreter(s)
	return s, nil
}

// checkDomain refuses an answer's domain that would not stay a host name.
func (s *Sandbox) checkDomain() error {
	if s.Domain == "" {
		return errors.New("the sandbox has no domain")
	}
	return checkDomain(s.Domain)
}

// AccessToken is the token of a secure sandbox, "" for an insecure one. It is
// a secret.
func (s *Sandbox) AccessToken() string { return s.accessToken }

// TrafficToken is the token that ports other than envd's demand when public
// traffic is not allowed, else "". It is a secret.
func (s *Sandbox) TrafficToken() string { return s.trafficToken }

// URL is the address of a port for anyone: https://<port>-<id>.<domain>, or
// http for a domain on this machine.
func (s *Sandbox) URL(port int) string { return publicURL(s.Domain, s.ID, port) }

// Kill destroys the sandbox, see [Client.Kill].
func (s *Sandbox) Kill(ctx context.Context) error { return s.client.Kill(ctx, s.ID) }

// SetTimeout makes the sandbox end d from now, see [Client.SetTimeout].
func (s *Sandbox) SetTimeout(ctx context.Context, d time.Duration) error {
	return s.client.SetTimeout(ctx, s.ID, d)
}

// Pause freezes the sandbox, see [Client.Pause].
func (s *Sandbox) Pause(ctx context.Context, opts *PauseOptions) error {
	return s.client.Pause(ctx, s.ID, opts)
}

// Info asks the control plane about the sandbox.
func (s *Sandbox) Info(ctx context.Context) (*SandboxInfo, error) { return s.client.Get(ctx, s.ID) }

// Running reports whether the sandbox answers. False means that its proxy
// says that it is gone or paused; anything else that goes wrong is an error.
func (s *Sandbox) Running(ctx context.Context) (bool, error) {
	ctx, cancel := s.client.withDefaultDeadline(ctx, 0)
	defer cancel()
	err := retry(ctx, true, func() error { return s.health(ctx) })
	if IsSandboxGone(err) {
		return false, nil
	}
	return err == nil, err
}
