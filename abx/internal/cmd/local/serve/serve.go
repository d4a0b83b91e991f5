// Package serve implements `abx local serve`.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/MakeNowJust/heredoc"
	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/backend"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
)

// Options of the command.
type Options struct {
	Listen string
	Local  backend.LocalOptions
}

// NewCmd makes the command.
func NewCmd(f *cmdutil.Factory) *cobra.Command {
	o := &Options{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve sandboxes on this machine to any E2B client",
		Long: heredoc.Doc(`
			Serves sandboxes over the E2B protocol. The variables that an E2B SDK
			and abx itself need are printed as export lines; when they are there
			the server is ready. Sandboxes and requests are logged to standard
			error, requests to sandboxes too with --verbose. Sandboxes end with the
			server, and what an earlier one left after a crash is swept.
		`),
		Example: heredoc.Doc(`
			$ abx local serve --listen 127.0.0.1:3000
		`),
		Args: cmdutil.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), f, o) },
	}
	cmd.Flags().StringVar(&o.Listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 takes a free one")
	o.Local.Add(cmd)
	return cmd
}

func run(ctx context.Context, f *cmdutil.Factory, o *Options) error {
	server, err := o.Local.Server(f.LoggerFrom(slog.LevelInfo))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), server.Close())
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	if err := server.WriteEnv(f.IO.Out, "http://"+l.Addr().String()); err != nil {
		return errors.Join(err, server.Close())
	}
	select {
	case <-ctx.Done():
		return errors.Join(server.Close(), ignoreClosed(<-served))
	case err := <-served:
		return errors.Join(err, server.Close())
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
