package mcpserver

import (
	"context"
	"time"
)

// Backend is what the manager needs of a sandbox service.
type Backend interface {
	Create(ctx context.Context, spec *CreateSpec) (Sandbox, error)
	// Connect attaches to a sandbox, resumes it when paused, and never moves
	// its end to an earlier time than life from now.
	Connect(ctx context.Context, id string, life time.Duration) (Sandbox, error)
	// Metadata tells what a sandbox was labelled with at its creation.
	Metadata(ctx context.Context, id string) (map[string]string, error)
	SetTimeout(ctx context.Context, id string, life time.Duration) error
	Kill(ctx context.Context, id string) error
}

// CreateSpec is a wanted sandbox.
type CreateSpec struct {
	Template       string
	Life           time.Duration
	Envs, Metadata map[string]string
	AutoPause      bool // at the end of its life: pause instead of kill
}

// Sandbox is what the tools need of a running sandbox.
type Sandbox interface {
	ID() string
	Template() string
	// Run executes a shell command line. An unbroken run that did not end in
	// time gives a result with TimedOut set, not an error.
	Run(ctx context.Context, command string, opts *RunOptions) (*RunResult, error)
	// RunCode executes code in the interpreter of the sandbox.
	RunCode(ctx context.Context, code string, opts *CodeOptions) (*Execution, error)
}

// RunOptions says how to run a command.
type RunOptions struct {
	Cwd       string // "" is the working directory of the image
	Envs      map[string]string
	Timeout   time.Duration
	MaxOutput int // bytes kept of each stream
	OnOutput  func(chunk []byte)
}

// RunResult is how a command ended.
type RunResult struct {
	Stdout, Stderr Output
	ExitCode       int
	TimedOut       bool
}

// Output is one stream, with its middle left out when it was too long.
type Output struct {
	Head, Tail []byte
	Total      int64 // bytes written, kept or not
}

// CodeOptions says how to run code.
type CodeOptions struct {
	Language, ContextID string
	Envs                map[string]string
	Timeout             time.Duration
	MaxOutput           int
	OnOutput            func(chunk []byte)
}

// Execution is how a run of code ended.
type Execution struct {
	Stdout, Stderr Output
	Results        []CodeResult
	Error          *CodeError
	TimedOut       bool
}

// CodeResult is one displayed value: its representations by MIME type, images
// in base64. Main marks the value of the last expression.
type CodeResult struct {
	Main bool
	Data map[string]string
}

// CodeError is an uncaught exception.
type CodeError struct{ Name, Value, Traceback string }
