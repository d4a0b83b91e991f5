// Package backend opens what the tools run on: the configured remote backend,
// or sandboxes on this machine.
package backend

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Backend is an open backend.
type Backend struct {
	Client *sandboxclient.Client
	// Secrets are the keys that no output may hold.
	Secrets []string
	// URL of a port of a sandbox; nil means the client's own rule.
	URL func(ctx context.Context, sandbox *sandboxclient.Sandbox, port int) (string, error)

	close func() error
}

// Close ends what Open started. For a local backend it destroys every sandbox.
func (b *Backend) Close() error {
	if b.close == nil {
		return nil
	}
	return b.close()
}

// Flags are the flags of commands that can run on this machine.
type Flags struct {
	Local bool
	LocalOptions
}

// Add adds the flags that choose and shape the backend.
func (o *Flags) Add(cmd *cobra.Command, f *cmdutil.Factory) {
	cmd.Flags().BoolVar(&o.Local, "local", false, "run sandboxes on this machine; no account is needed")
	o.LocalOptions.Add(cmd)
	cmdutil.AddTemplateFlag(cmd, f)
	cmdutil.AddBackendFlags(cmd, f)
}

// IsLocal says whether sandboxes will run in this process's own backend.
func (o *Flags) IsLocal(cfg *config.Config) bool {
	return o.Local || cfg.Get(config.Backend).Value == "local"
}

// Open opens the backend that flags and configuration ask for. The cloud is
// never taken in place of the local one, nor the reverse.
func Open(f *cmdutil.Factory, o *Flags) (*Backend, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, err
	}
	if o.IsLocal(cfg) {
		return openLocal(f, &o.LocalOptions)
	}
	if o.LocalOptions != (LocalOptions{}) {
		return nil, cmdutil.FlagErrorf("--isolation and the other options of local sandboxes need --local")
	}
	client, err := f.ClientFor(cfg)
	if auth := (*cmdutil.AuthError)(nil); errors.As(err, &auth) {
		err = cmdutil.WithHint(auth, "set ABX_SANDBOX_API_KEY (or run `abx config set api_key`), or pass --local to run sandboxes on this machine")
	}
	if err != nil {
		return nil, err
	}
	return &Backend{Client: client, Secrets: []string{cfg.Get(config.APIKey).Value}}, nil
}
