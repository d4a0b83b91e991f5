package mcpserver

import (
	"context"
	"io"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// backend is what the manager needs of a sandbox service.
type backend interface {
	create(ctx context.Context, opts *sandboxclient.CreateOptions) (machine, error)
	// connect attaches to a sandbox, resumes it when paused, and never moves
	// its end to an earlier time than life from now.
	connect(ctx context.Context, id string, life time.Duration) (machine, error)
	// metadata tells what a sandbox was labelled with at its creation.
	metadata(ctx context.Context, id string) (map[string]string, error)
	// list gives the sandboxes, running or paused, that carry all the labels.
	list(ctx context.Context, labels map[string]string) ([]*sandboxclient.SandboxInfo, error)
	// setTimeout moves the end of a sandbox to life from now.
	setTimeout(ctx context.Context, id string, life time.Duration) error
	kill(ctx context.Context, id string) error
}

// machine is what the tools need of a running sandbox. Paths are absolute.
type machine interface {
	ID() string
	// URL is the address of a port, for a user outside.
	URL(ctx context.Context, port int) (string, error)

	Run(ctx context.Context, command string, opts *sandboxclient.RunOptions) (*sandboxclient.Result, error)
	RunCode(ctx context.Context, code string, opts *sandboxclient.CodeOptions) (*sandboxclient.Execution, error)
	CreateContext(ctx context.Context, opts *sandboxclient.ContextOptions) (*sandboxclient.CodeContext, error)

	// Open gives a part of a file, length 0 to its end, and the size of the
	// whole file, -1 when the backend does not tell it.
	Open(ctx context.Context, path string, offset, length int64) (content io.ReadCloser, size int64, err error)
	// Write replaces a file; a failure leaves the one there was.
	Write(ctx context.Context, path string, content io.Reader) error
	List(ctx context.Context, path string, depth int) ([]*sandboxclient.Entry, error)
}
