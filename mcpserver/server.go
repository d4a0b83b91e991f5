package mcpserver

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// Server is the MCP server: one for all sessions and all transports.
type Server struct {
	backend backend
	opts    Options
	shaper  *shaper
	metrics *metrics
	mcp     *mcp.Server
	handled atomic.Bool // Handler was called

	ping func(context.Context) error // asks the backend for a sign of life; nil where it cannot
}

// New makes a server whose sandboxes come from client. opts may be nil. Nothing
// is sent until the first call of a tool.
func New(client *sandboxclient.Client, opts *Options) (*Server, error) {
	if opts == nil {
		opts = &Options{}
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	s := newServer(&clientBackend{client: client, url: opts.URL}, opts)
	s.ping = func(ctx context.Context) error { return ping(ctx, client) }
	return s, nil
}

func newServer(b backend, opts *Options) *Server {
	m := newMetrics()
	s := &Server{backend: newMeteredBackend(b, m), opts: *opts, shaper: newShaper(opts.Secrets), metrics: m}
	s.opts.Instance = s.opts.instance()
	s.mcp = mcp.NewServer(&mcp.Implementation{
		Name: "agent-sandbox", Title: "Agent Sandbox", Version: s.opts.version(),
	}, s.sdkOptions())
	for i := range catalog {
		s.mcp.AddTool(catalog[i].definition(), s.handler(&catalog[i]))
	}
	return s
}

func (s *Server) sdkOptions() *mcp.ServerOptions {
	opts := &mcp.ServerOptions{
		Instructions: instructions,
		Logger:       s.opts.logger(),
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},

		SupportedProtocolVersions: revisionsUpTo(s.opts.NewestProtocol),
	}
	if s.opts.Configure != nil {
		s.opts.Configure(opts)
	}
	return opts
}

// MCP is the underlying SDK server, for transports to connect. The context of
// each call must carry a session: see WithSession.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// InMemory connects a client to the server within the process, as one session;
// opts are the client's and may be nil. close ends the session and destroys its
// sandboxes.
func (s *Server) InMemory(ctx context.Context, opts *mcp.ClientOptions) (client *mcp.ClientSession, close func(context.Context) error, err error) {
	session := s.NewSession(ctx, nil)
	clientEnd, serverEnd := mcp.NewInMemoryTransports()
	if _, err := s.mcp.Connect(WithSession(ctx, session), serverEnd, nil); err != nil {
		return nil, nil, err
	}
	impl := &mcp.Implementation{Name: "abx", Version: s.opts.version()}
	client, err = mcp.NewClient(impl, opts).Connect(ctx, clientEnd, nil)
	if err != nil {
		return nil, nil, err
	}
	return client, func(ctx context.Context) error {
		err := session.Close(ctx)
		_ = client.Close()
		return err
	}, nil
}
