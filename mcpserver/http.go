package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions configure a Handler. The zero value serves without
// authentication and is for loopback listeners only.
type HTTPOptions struct {
	// Path of the endpoint. "" is "/mcp".
	Path string
	// Tokens lets callers in. nil lets everybody in, as one principal.
	Tokens *Tokens
	// AllowedOrigins are values of Origin that browsers may send, besides the
	// endpoint's own. "*" allows all.
	AllowedOrigins []string
	// AllowedHosts are values of Host that are accepted on a loopback listener,
	// besides loopback names. "*" allows all.
	AllowedHosts []string
	// SessionTTL ends a session that has no call and no stream open. 0 is 30 min.
	SessionTTL time.Duration
	// CloseLimit bounds how long DELETE and Shutdown wait for sandboxes to be
	// destroyed. 0 is 10 s.
	CloseLimit time.Duration
	// KeepAlive is how often a silent stream gets a comment, which keeps proxies
	// from cutting it. 0 is 15 s.
	KeepAlive time.Duration
	// AttachAny lets a caller use any sandbox that the backend's key can reach.
	AttachAny bool
	// SessionState says where sessions are kept. "" is StateMemory.
	SessionState SessionState
	// HandleKey makes the handles of callers that have no session; servers
	// that share callers share it. nil is a random one.
	HandleKey []byte
	// Limits bound what callers may use; zero fields take the defaults.
	Limits Limits
}

// Defaults of HTTPOptions.
const (
	DefaultPath       = "/mcp"
	DefaultSessionTTL = 30 * time.Minute
	DefaultKeepAlive  = 15 * time.Second
)

// Handler serves MCP over Streamable HTTP. Revisions up to 2025-11-25 have
// sessions, which own their sandboxes; from 2026-07-28 on the caller does, and
// names each by a handle. Shutdown must be called in the end.
type Handler struct {
	opts   HTTPOptions
	hub    *SessionStore
	modern *modern
	shared *shared // nil: sessions belong to the hub
	gate   *gate
	ready  *readiness
	inner  http.Handler // the SDK's
	mux    *http.ServeMux
}

// Handler makes the HTTP handler of the server, which has one only: sessions
// belong to it. opts may be nil.
func (s *Server) Handler(opts *HTTPOptions) (*Handler, error) {
	if s.handled.Swap(true) {
		return nil, errors.New("the server has a handler already")
	}
	h := &Handler{mux: http.NewServeMux()}
	if opts != nil {
		h.opts = *opts
	}
	if err := h.opts.check(); err != nil {
		return nil, err
	}
	h.opts.setDefaults()
	h.hub = newSessionStore(s, &h.opts)
	h.modern = newModern(s, &h.opts)
	if h.opts.SessionState == StateBackend {
		h.shared = newShared(s, &h.opts)
	}
	h.gate = newGate(&h.opts.Limits)
	h.ready = &readiness{ping: s.ping}
	s.shaper.tokens.Store(h.opts.Tokens)
	s.mcp.AddReceivingMiddleware(h.hub.middleware)
	h.inner = h.bindPrincipal(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return s.mcp },
		&mcp.StreamableHTTPOptions{
			Logger:                     s.opts.logger(),
			MaxRequestBodyBytes:        -1,   // bounded here, with an error that says so
			DisableLocalhostProtection: true, // checked here, for every method, with an allow-list
		}))
	h.mux.HandleFunc(h.opts.Path, h.serveMCP)
	h.mux.HandleFunc("GET /healthz", h.serveLive)
	h.mux.HandleFunc("GET /readyz", h.serveReady)
	h.mux.Handle("GET /metrics", s.metrics.handler())
	s.metrics.watchSessions(h.Sessions)
	return h, nil
}

func (o *HTTPOptions) setDefaults() {
	if o.Path == "" {
		o.Path = DefaultPath
	}
	if o.SessionTTL <= 0 {
		o.SessionTTL = DefaultSessionTTL
	}
	if o.CloseLimit <= 0 {
		o.CloseLimit = closeDeadline
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = DefaultKeepAlive
	}
	if len(o.HandleKey) == 0 {
		o.HandleKey = randomKey()
	}
	o.Limits.setDefaults()
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// Shutdown refuses new sessions, ends all there are and destroys their
// sandboxes, until ctx ends. It reports what could not be destroyed. Call it
// before http.Server.Shutdown, which would wait for open streams.
func (h *Handler) Shutdown(ctx context.Context) error {
	modern := make(chan error, 1)
	go func() { modern <- h.modern.shutdown(ctx) }()
	if h.shared != nil {
		return errors.Join(h.shared.shutdown(ctx), <-modern)
	}
	return errors.Join(h.hub.shutdown(ctx), <-modern)
}

// Sessions is the number of sessions that are open.
func (h *Handler) Sessions() int {
	if h.shared != nil {
		return h.shared.size()
	}
	return h.hub.size()
}

func (h *Handler) serveMCP(w http.ResponseWriter, r *http.Request) {
	nameRequest(w, r)
	if err := h.checkOrigin(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	principal, ok := h.authenticate(w, r)
	if !ok {
		return
	}
	r = r.WithContext(withPrincipal(r.Context(), principal))
	if r.Method != http.MethodPost && h.modern.speaks(r) {
		h.modern.inner.ServeHTTP(w, r) // 405: there are no sessions to stream or delete
		return
	}
	if h.shared != nil {
		h.serveShared(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.servePost(w, r)
	case http.MethodGet:
		h.serveStream(w, r)
	case http.MethodDelete:
		h.serveDelete(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// bindPrincipal tells the SDK who calls, so that it too binds a session to its
// caller.
func (h *Handler) bindPrincipal(next http.Handler) http.Handler {
	if h.opts.Tokens == nil {
		return next
	}
	verify := func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: principalFrom(ctx)}, nil
	}
	return auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
}

type principalKey struct{}

func withPrincipal(ctx context.Context, principal string) context.Context {
	return context.WithValue(ctx, principalKey{}, principal)
}

func principalFrom(ctx context.Context) string {
	principal, _ := ctx.Value(principalKey{}).(string)
	return principal
}
