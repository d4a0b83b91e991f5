// Package cmdutil holds what every command of abx shares: the factory of lazy
// dependencies, the kinds of error and their exit codes, and flags that mean
// the same everywhere.
package cmdutil

import (
	"log/slog"

	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/abx/internal/iostreams"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Factory gives commands their dependencies. Everything that opens a file or
// could reach the network is a function, so that help costs neither.
type Factory struct {
	IO      *iostreams.IOStreams
	Version string
	Getenv  func(string) string

	// Values of the global flags, known once flags are parsed.
	JSON       bool
	Verbose    bool
	ConfigPath string           // "" means config.DefaultPath
	Overrides  config.Overrides // settings given as flags

	AllowInsecureBackend bool
}

// Settings finds the configuration file and reads it; a missing file is empty,
// and so is that of a user without a home, such as a service's.
func (f *Factory) Settings() (*config.File, error) {
	path := f.ConfigPath
	if path == "" {
		var err error
		if path, err = config.DefaultPath(f.Getenv); err != nil {
			return config.Missing(err), nil
		}
	}
	return config.Open(path)
}

// Config is the effective configuration: flags, environment, file, defaults.
func (f *Factory) Config() (*config.Config, error) {
	file, err := f.Settings()
	if err != nil {
		return nil, err
	}
	return config.Resolve(&config.Sources{Flags: f.Overrides, Getenv: f.Getenv, File: file})
}

// Client is a client of the configured backend. Without a key it is an
// AuthError that names every way to give one.
func (f *Factory) Client() (*sandboxclient.Client, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	return f.ClientFor(cfg)
}

// ClientFor is Client for a configuration that was resolved already.
func (f *Factory) ClientFor(cfg *config.Config) (*sandboxclient.Client, error) {
	key := cfg.Get(config.APIKey).Value
	if key == "" {
		return nil, WithHint(AuthErrorf("no API key for the sandbox backend"),
			"set ABX_SANDBOX_API_KEY or run `abx config set api_key`; for sandboxes on this machine start `abx local serve`")
	}
	endpoint, err := cfg.Endpoint()
	if err != nil {
		return nil, err
	}
	return sandboxclient.New(key, &sandboxclient.Options{
		APIURL: endpoint.APIURL, Domain: endpoint.Domain, SandboxURL: endpoint.SandboxURL,
		AllowInsecure: f.AllowInsecureBackend, Logger: f.Logger(), UserAgent: "abx/" + f.Version,
		Header: mcpserver.TraceHeader,
	})
}

// Logger writes to the error stream: warnings, and everything with --verbose.
func (f *Factory) Logger() *slog.Logger { return f.LoggerFrom(slog.LevelWarn) }

// LoggerFrom is Logger for commands that say more than warnings by themselves.
func (f *Factory) LoggerFrom(level slog.Level) *slog.Logger {
	if f.Verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(f.IO.ErrOut, &slog.HandlerOptions{Level: level}))
}
