package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Options configures a Server. The zero value is useful.
type Options struct {
	// Version of the program, as clients and sandbox metadata show it.
	Version string
	// Template of sandboxes for which none is asked. "" is "base".
	Template string
	// SandboxTimeout is the idle life of sandboxes made without one. 0 is 300 s.
	SandboxTimeout time.Duration
	// MaxOutput caps stdout and stderr of a result, in bytes each. 0 is 32 KiB.
	MaxOutput int
	// OnTimeout is "kill" or "pause": what happens to an idle sandbox at the
	// end of its life. "" is kill.
	OnTimeout string
	// MaxSandboxes is how many sandboxes a session may have at once. 0 is 20.
	MaxSandboxes int
	// MaxCalls is how many calls a session may have at work at once. 0 is 16.
	MaxCalls int
	// URL gives the address of a port of a sandbox. nil is Sandbox.URL.
	URL func(ctx context.Context, sandbox *sandboxclient.Sandbox, port int) (string, error)
	// NewestProtocol is the newest revision of MCP to offer, such as
	// "2025-06-18". "" is the newest there is.
	NewestProtocol string
	// Configure, when set, changes the options of the SDK's server before it is
	// made, for programs that add features of their own to MCP().
	Configure func(*mcp.ServerOptions)
	// Secrets are texts that no answer may hold, such as keys and tokens.
	Secrets []string
	// Instance labels the sandboxes of this process. "" is ProcessInstance().
	Instance string
	// Logger gets what an operator may want to know. nil discards it.
	Logger *slog.Logger

	now func() time.Time // nil is time.Now
}

// check refuses values that have no meaning.
func (o *Options) check() error {
	switch {
	case o.OnTimeout != "" && o.OnTimeout != "kill" && o.OnTimeout != "pause":
		return fmt.Errorf("on timeout %q: must be kill or pause", o.OnTimeout)
	case o.SandboxTimeout < 0 || o.SandboxTimeout%time.Second != 0:
		return fmt.Errorf("sandbox timeout %s: must be whole seconds, at least 1", o.SandboxTimeout)
	case o.MaxOutput < 0 || o.MaxSandboxes < 0 || o.MaxCalls < 0:
		return errors.New("limits must not be negative")
	case o.NewestProtocol != "" && len(revisionsUpTo(o.NewestProtocol)) == 0:
		return fmt.Errorf("newest protocol %q: must be a revision such as 2025-06-18", o.NewestProtocol)
	}
	return nil
}

func (o *Options) clock() func() time.Time {
	if o.now != nil {
		return o.now
	}
	return time.Now
}

func (o *Options) lifePolicy() LifePolicy {
	policy := LifePolicy{Default: o.SandboxTimeout, Pause: o.OnTimeout == "pause"}
	if policy.Default == 0 {
		policy.Default = 300 * time.Second
	}
	return policy
}

func (o *Options) maxSandboxes() int {
	if o.MaxSandboxes > 0 {
		return o.MaxSandboxes
	}
	return 20
}

func (o *Options) maxCalls() int {
	if o.MaxCalls > 0 {
		return o.MaxCalls
	}
	return 16
}

func (o *Options) template() string {
	if o.Template != "" {
		return o.Template
	}
	return "base"
}

func (o *Options) maxOutput() int {
	if o.MaxOutput > 0 {
		return o.MaxOutput
	}
	return 32 << 10
}

func (o *Options) instance() string {
	if o.Instance != "" {
		return o.Instance
	}
	return ProcessInstance()
}

func (o *Options) version() string {
	if o.Version != "" {
		return o.Version
	}
	return "devel"
}

func (o *Options) logger() *slog.Logger {
	if o.Logger != nil {
		return o.Logger
	}
	return slog.New(slog.DiscardHandler)
}
