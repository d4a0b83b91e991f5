package control

import (
	"context"
	"log/slog"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

// Config is what the control plane works with.
type Config struct {
	Manager *lifecycle.Manager
	Profile *profile.Profile
	// Keys are the API keys that are let in; at least one.
	Keys []string
	// Domain is under which the sandboxes can be reached, "" if nowhere yet.
	Domain func() string
	// Templates are the ids that create accepts.
	Templates []string
	// Shape is what a sandbox has of the machine.
	Shape Shape
	// MaxLife is the longest timeout that a caller may ask for.
	MaxLife time.Duration
	// Sample measures a sandbox.
	Sample func(ctx context.Context, s *lifecycle.Sandbox) (api.SandboxMetric, error)
	// SetNetwork makes a new policy effective in a running sandbox.
	SetNetwork func(s *lifecycle.Sandbox, n *lifecycle.Network) error
	Logger     *slog.Logger
}

// Shape is the size of a sandbox as it is reported.
type Shape struct {
	CPUCount, MemoryMB, DiskSizeMB int32
}
