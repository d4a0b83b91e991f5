package start

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

const (
	// headerLimit ends connections that never send a request.
	headerLimit = 10 * time.Second
	// idleLimit is above what load balancers keep a silent connection for, so
	// that they and not abx close it, which they would take for an error.
	idleLimit = 20 * time.Minute
	// shutdownLimit bounds the end, sandboxes included.
	shutdownLimit = 10 * time.Second
)

// HTTPOptions are the options of the HTTP transport.
type HTTPOptions struct {
	Listen               string
	TokenFile            string
	AllowUnauthenticated bool
	TLSCert, TLSKey      string
	Origins, Hosts       []string
	SessionTTL           time.Duration
	KeepAlive            time.Duration
	SessionState         string
	IdleTimeout          time.Duration
	NewestProtocol       string
	MaxSessions          int
	Attach               string
}

// Add adds the flags.
func (o *HTTPOptions) Add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.Listen, "listen", "127.0.0.1:8000", "`ADDRESS` of the HTTP transport")
	flags.StringVar(&o.TokenFile, "auth-token-file", "", "`FILE` with the bearer tokens that clients send, one per line with an optional name before it; read again on SIGHUP (without it: ABX_MCP_AUTH_TOKEN)")
	flags.BoolVar(&o.AllowUnauthenticated, "allow-unauthenticated", false, "let everybody in on an address that others can reach")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` with the TLS certificate")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` with its key; both are read again on SIGHUP")
	flags.StringSliceVar(&o.Origins, "allow-origin", nil, "`ORIGIN` that web pages may call from (repeatable)")
	flags.StringSliceVar(&o.Hosts, "allow-host", nil, "`HOST` accepted on a loopback address, as behind a proxy (repeatable)")
	flags.DurationVar(&o.SessionTTL, "session-ttl", mcpserver.DefaultSessionTTL, "end sessions that are idle for this long")
	flags.StringVar(&o.SessionState, "session-state", "", "where sessions are kept: memory, or backend when several servers serve the same sessions (default memory, or ABX_MCP_SESSION_STATE)")
	flags.DurationVar(&o.KeepAlive, "keep-alive", mcpserver.DefaultKeepAlive, "send a comment on streams that are silent for this long, so that proxies keep them")
	flags.DurationVar(&o.IdleTimeout, "idle-timeout", idleLimit, "close connections without a request for this long; 0 never")
	flags.StringVar(&o.NewestProtocol, "newest-protocol", "", "newest `REVISION` of MCP to offer, such as 2025-06-18")
	flags.IntVar(&o.MaxSessions, "max-sessions", 0, "sessions open at once (default 1000)")
	flags.StringVar(&o.Attach, "attach", "own", "sandboxes that a client may name: own (those of its token) or any")
}

func (o *HTTPOptions) settings(tokens *mcpserver.Tokens, key string) *mcpserver.HTTPOptions {
	return &mcpserver.HTTPOptions{
		HandleKey: handleKey(key), Tokens: tokens, AllowedOrigins: o.Origins, AllowedHosts: o.Hosts,
		SessionTTL: o.SessionTTL, KeepAlive: o.KeepAlive,
		SessionState: mcpserver.SessionState(o.SessionState), AttachAny: o.Attach == "any",
		Limits: mcpserver.Limits{Sessions: o.MaxSessions},
	}
}

// handleKey is the same in every server that has the same API key, so that
// callers find their sandboxes behind a load balancer and after a restart. Local
// sandboxes end with their server: its key may be random.
func handleKey(apiKey string) []byte {
	if apiKey == "" {
		return nil
	}
	key := sha256.Sum256([]byte("abx handle\x00" + apiKey))
	return key[:]
}

// complete takes from the environment what no flag said.
func (o *HTTPOptions) complete(f *cmdutil.Factory) {
	o.SessionState = cmp.Or(o.SessionState, f.Getenv("ABX_MCP_SESSION_STATE"), string(mcpserver.StateMemory))
}

func (o *HTTPOptions) check() error {
	switch {
	case o.SessionState != string(mcpserver.StateMemory) && o.SessionState != string(mcpserver.StateBackend):
		return cmdutil.FlagErrorf("--session-state %q: want memory or backend", o.SessionState)
	case o.Attach != "own" && o.Attach != "any":
		return cmdutil.FlagErrorf("--attach %q: want own or any", o.Attach)
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return cmdutil.FlagErrorf("--tls-cert and --tls-key go together")
	case o.SessionTTL < time.Second:
		return cmdutil.FlagErrorf("--session-ttl %s: want at least 1s", o.SessionTTL)
	case o.KeepAlive < time.Second:
		return cmdutil.FlagErrorf("--keep-alive %s: want at least 1s", o.KeepAlive)
	}
	return nil
}

// serveHTTP serves until ctx ends, then destroys every sandbox.
func serveHTTP(ctx context.Context, f *cmdutil.Factory, o *HTTPOptions, key string, server *mcpserver.Server) error {
	tokens, readTokens, err := o.tokens(f)
	if err != nil {
		return err
	}
	web := &http.Server{ReadHeaderTimeout: headerLimit, IdleTimeout: o.IdleTimeout}
	readCertificate, err := o.certificate(web)
	if err != nil {
		return err
	}
	handler, err := server.Handler(o.settings(tokens, key))
	if err != nil {
		return fmt.Errorf("HTTP transport: %w", err)
	}
	web.Handler = handler
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	ctx, stop := onHangup(ctx, f, given(readTokens, readCertificate))
	defer stop()
	served := make(chan error, 1)
	go func() { served <- serve(web, listener) }()
	fmt.Fprintf(f.IO.ErrOut, "abx: serving MCP at %s\n", o.url(listener))
	select {
	case err = <-served:
	case <-ctx.Done():
		err = nil
	}
	return errors.Join(err, shutdown(handler, web))
}

func given(all ...reload) []reload {
	return slices.DeleteFunc(all, func(r reload) bool { return r == nil })
}

// certificate reads the TLS files, where there are any, for the server.
func (o *HTTPOptions) certificate(web *http.Server) (again reload, err error) {
	if o.TLSCert == "" {
		return nil, nil
	}
	var own certificate
	again = func() error { return own.read(o.TLSCert, o.TLSKey) }
	web.TLSConfig = own.config()
	return again, again()
}

func serve(web *http.Server, l net.Listener) error {
	if web.TLSConfig != nil {
		return web.ServeTLS(l, "", "")
	}
	return web.Serve(l)
}

func (o *HTTPOptions) url(l net.Listener) string {
	scheme := "http"
	if o.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + l.Addr().String() + mcpserver.DefaultPath
}

// shutdown ends the sessions first: http.Server.Shutdown waits for open streams,
// which end with their session.
func shutdown(handler *mcpserver.Handler, web *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	err := handler.Shutdown(ctx)
	if webErr := web.Shutdown(ctx); webErr != nil {
		return errors.Join(err, web.Close())
	}
	return err
}
