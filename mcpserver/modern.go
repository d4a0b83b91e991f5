package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// versionHeader names the revision that a request speaks. Revisions are dates
// and compare as text.
const (
	versionHeader = "MCP-Protocol-Version"
	firstModern   = "2026-07-28"
)

// modern serves the revisions without sessions: each request stands alone and
// names its sandbox by a handle that only its principal can use.
type modern struct {
	server *Server
	opts   *HTTPOptions
	inner  http.Handler

	mu     sync.Mutex
	owners map[string]*owner // by principal
	down   bool
	wg     sync.WaitGroup // for owners that expire
}

// owner is what a principal's requests have in common: its sandboxes.
type owner struct {
	session *Session
	calls   int
	idle    *time.Timer
}

func newModern(s *Server, opts *HTTPOptions) *modern {
	return &modern{
		server: s, opts: opts, owners: map[string]*owner{},
		inner: mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return s.mcp },
			&mcp.StreamableHTTPOptions{
				Stateless: true, PropagateRequestCancellation: true,
				Logger: s.opts.logger(), MaxRequestBodyBytes: -1, DisableLocalhostProtection: true,
			}),
	}
}

// speaks says whether a request is of a revision without sessions. Without
// authentication a handle is all that guards a sandbox, so they are then served
// to this machine only; others are told which revisions there are.
func (m *modern) speaks(r *http.Request) bool {
	newest := m.server.opts.NewestProtocol
	return (newest == "" || newest >= firstModern) && r.Header.Get(versionHeader) >= firstModern && (m.opts.Tokens != nil || onLoopback(r))
}

func (m *modern) serve(w http.ResponseWriter, r *http.Request, principal string) error {
	o, err := m.enter(r.Context(), principal)
	if err != nil {
		return err
	}
	defer m.exit(principal, o)
	m.inner.ServeHTTP(w, r.WithContext(WithSession(r.Context(), o.session)))
	return nil
}

func (m *modern) enter(ctx context.Context, principal string) (*owner, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return nil, errShuttingDown
	}
	o := m.owners[principal]
	if o == nil {
		o = m.newOwner(ctx, principal)
		m.owners[principal] = o
	}
	o.calls++
	o.idle.Stop()
	return o, nil
}

func (m *modern) newOwner(ctx context.Context, principal string) *owner {
	o := &owner{session: m.server.NewSession(context.WithoutCancel(ctx), &SessionOptions{
		Principal: principal, Era: EraModern,
		AttachOwnOnly: m.opts.Tokens != nil && !m.opts.AttachAny,
		Handles:       newHandles(m.opts.HandleKey, principal),
	})}
	o.idle = time.AfterFunc(m.opts.SessionTTL, func() { m.expire(principal, o) })
	return o
}

func (m *modern) exit(principal string, o *owner) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.calls--; o.calls == 0 && m.owners[principal] == o {
		o.idle.Reset(m.opts.SessionTTL)
	}
}

// expire destroys the sandboxes of a principal that has been silent.
func (m *modern) expire(principal string, o *owner) {
	m.mu.Lock()
	if m.down || o.calls > 0 || m.owners[principal] != o {
		m.mu.Unlock()
		return
	}
	delete(m.owners, principal)
	m.wg.Add(1)
	m.mu.Unlock()
	defer m.wg.Done()
	if err := m.closeOwner(context.Background(), o); err != nil {
		m.server.opts.logger().Error("sandboxes of a silent caller may be left", "error", err)
	}
}

func (m *modern) closeOwner(ctx context.Context, o *owner) error {
	ctx, cancel := context.WithTimeout(ctx, m.opts.CloseLimit)
	defer cancel()
	return o.session.Close(ctx)
}

// shutdown ends everything at once.
func (m *modern) shutdown(ctx context.Context) error {
	m.mu.Lock()
	m.down = true
	owners := m.owners
	m.owners = map[string]*owner{}
	m.mu.Unlock()
	var wg sync.WaitGroup
	errs := make(chan error, len(owners))
	for _, o := range owners {
		wg.Go(func() {
			o.idle.Stop()
			errs <- m.closeOwner(ctx, o)
		})
	}
	wg.Wait()
	await(ctx, &m.wg)
	close(errs)
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}
