package call

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/abx/internal/backend"
	"github.com/agentsandbox/agent-sandbox/abx/internal/cmdutil"
	"github.com/agentsandbox/agent-sandbox/abx/internal/config"
	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

type closer func(context.Context) error

// connect opens a session with the server at the URL, or with one in this
// process.
func connect(ctx context.Context, f *cmdutil.Factory, o *Options) (*mcp.ClientSession, closer, error) {
	if o.URL == "" {
		return connectInProcess(ctx, f, o)
	}
	if o.Backend.Local {
		return nil, nil, cmdutil.FlagErrorf("--url and --local exclude each other")
	}
	return connectRemote(ctx, f, o.URL)
}

func connectInProcess(ctx context.Context, f *cmdutil.Factory, o *Options) (*mcp.ClientSession, closer, error) {
	cfg, err := f.Config()
	if err != nil {
		return nil, nil, err
	}
	b, err := backend.Open(f, &o.Backend)
	if err != nil {
		return nil, nil, err
	}
	server, err := mcpserver.New(b.Client, &mcpserver.Options{
		Version: f.Version, Template: cfg.Get(config.Template).Value, URL: b.URL,
		Secrets: b.Secrets, Logger: f.Logger(),
	})
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	session, closeSession, err := server.InMemory(ctx, clientOptions(f))
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return session, func(ctx context.Context) error { return errors.Join(closeSession(ctx), b.Close()) }, nil
}

func connectRemote(ctx context.Context, f *cmdutil.Factory, endpoint string) (*mcp.ClientSession, closer, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return nil, nil, cmdutil.FlagErrorf("--url %q: want a URL such as https://example.com/mcp", endpoint)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "abx", Version: f.Version}, clientOptions(f))
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint:             endpoint,
		HTTPClient:           &http.Client{Transport: &bearer{token: f.Getenv("ABX_MCP_AUTH_TOKEN"), host: u.Host}},
		DisableStandaloneSSE: true,
	}, &mcp.ClientSessionOptions{ProtocolVersion: withSessions})
	if err != nil {
		return nil, nil, err
	}
	return session, func(context.Context) error { return session.Close() }, nil
}

// withSessions is the newest revision in which a call without a sandbox_id has a
// sandbox of its session; later ones have no sessions.
const withSessions = "2025-11-25"

// bearer adds a token to requests to one host; a redirect to another host does
// not carry it along. The empty token adds nothing.
type bearer struct{ token, host string }

// RoundTrip implements http.RoundTripper.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" && r.URL.Host == b.host {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(r)
}
