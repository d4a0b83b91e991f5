package mcpserver

import (
	"log/slog"
	"time"
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
	// Instance labels the sandboxes of this process. "" is ProcessInstance().
	Instance string
	// Logger gets what an operator may want to know. nil discards it.
	Logger *slog.Logger
}

func (o *Options) template() string {
	if o.Template != "" {
		return o.Template
	}
	return "base"
}

func (o *Options) sandboxTimeout() time.Duration {
	if o.SandboxTimeout > 0 {
		return o.SandboxTimeout
	}
	return 300 * time.Second
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
