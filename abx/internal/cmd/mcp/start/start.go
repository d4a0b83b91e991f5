// Package start implements `abx mcp start`.
package start

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/backend"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// Options of the command.
type Options struct {
	Transport      string
	SandboxTimeout time.Duration
	MaxOutput      int
	HTTP           HTTPOptions
	Backend        backend.Flags
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Run the MCP server",
		Long: heredoc.Doc(`
			Runs the MCP server over standard input and output, as an IDE starts
			it, or over Streamable HTTP at /mcp. When input ends, or on SIGINT or
			SIGTERM, every sandbox that it made is destroyed.
		`),
		Example: heredoc.Doc(`
			$ abx mcp start --local
			$ ABX_SANDBOX_API_KEY=… abx mcp start --region cn-hangzhou
			$ abx mcp start --transport http --listen 0.0.0.0:8000 --auth-token-file tokens
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	cmd.Flags().StringVar(&o.Transport, "transport", "stdio", "`TRANSPORT`: stdio or http")
	cmd.Flags().DurationVar(&o.SandboxTimeout, "sandbox-timeout", 300*time.Second, "idle life of sandboxes that are made without one")
	cmd.Flags().IntVar(&o.MaxOutput, "max-output", 32<<10, "`BYTES` of stdout and of stderr that a result holds")
	o.HTTP.Add(cmd)
	o.Backend.Add(cmd, f)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	if o.Transport != "stdio" && o.Transport != "http" {
		return cmdutil.FlagErrorf("--transport %q: want stdio or http", o.Transport)
	}
	o.HTTP.complete(f)
	if err := o.HTTP.check(); err != nil {
		return err
	}
	cfg, err := f.Config()
	if err != nil {
		return err
	}
	if o.HTTP.SessionState == string(mcpserver.StateBackend) && o.Backend.IsLocal(cfg) {
		return cmdutil.FlagErrorf("--session-state backend: sandboxes of --local end with their server, no other can serve them")
	}
	server, closeBackend, err := open(f, o, cfg)
	if err != nil {
		return err
	}
	if o.Transport == "http" {
		return errors.Join(serveHTTP(ctx, f, &o.HTTP, cfg.Get(config.APIKey).Value, server), closeBackend())
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP) // the terminal is gone
	defer stop()
	return errors.Join(serveStdio(ctx, f, server), closeBackend())
}

func open(f *cmdutil.Factory, o *Options, cfg *config.Config) (*mcpserver.Server, func() error, error) {
	b, err := backend.Open(f, &o.Backend)
	if err != nil {
		return nil, nil, err
	}
	server, err := mcpserver.New(b.Client, &mcpserver.Options{
		Version: f.Version, Template: cfg.Get(config.Template).Value,
		SandboxTimeout: o.SandboxTimeout, MaxOutput: o.MaxOutput,
		OnTimeout: f.Getenv("ABX_ON_TIMEOUT"), URL: b.URL, Logger: f.Logger(),
		NewestProtocol: o.HTTP.NewestProtocol, Secrets: b.Secrets,
	})
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return server, b.Close, nil
}

// serveStdio keeps the process's standard output for the protocol alone: a
// library that prints does so on standard error, and a reader that went away
// is an error to handle, not the end of the process with its sandboxes alive.
func serveStdio(ctx context.Context, f *cmdutil.Factory, server *mcpserver.Server) error {
	os.Stdout = os.Stderr
	signal.Ignore(syscall.SIGPIPE)
	return server.ServeStdio(ctx, f.IO.In, f.IO.Out)
}
