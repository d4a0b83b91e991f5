package lifecycle

import (
	"context"
	"net"
)

// Machine is what runs behind a sandbox: a process tree with an agent in it.
// Its methods may be called from several goroutines.
type Machine interface {
	// Dial opens a connection to the agent.
	Dial(ctx context.Context) (net.Conn, error)
	// Pause stops every process, Resume lets them go on.
	Pause(ctx context.Context) error
	Resume(ctx context.Context) error
	// Kill ends every process, also of a paused machine, and returns when
	// nothing is left.
	Kill(ctx context.Context) error
	// Wait returns when the machine has ended, for whatever reason.
	Wait() error
}

// StartFunc starts the machine of a sandbox whose fixed fields are filled in.
// It returns once the agent answers.
type StartFunc func(ctx context.Context, s *Sandbox) (Machine, error)
