package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SessionState says where the state of sessions is kept.
type SessionState string

const (
	// StateMemory keeps it in the process: all requests of a session must come
	// to the same one.
	StateMemory SessionState = "memory"
	// StateBackend keeps it in the labels of the sandboxes: any of several
	// servers with the same HandleKey serves any request, at the price of a
	// listing for each call that names no sandbox. Sandboxes end by DELETE or
	// at their own timeout, not with a server or its idea of idleness.
	StateBackend SessionState = "backend"
)

// shared serves sessions that other servers serve too. A session id proves
// itself: it carries a code that only holders of the key can make, for one
// principal, so nothing needs to be known of it.
type shared struct {
	server *Server
	opts   *HTTPOptions
	inner  http.Handler

	mu    sync.Mutex
	byID  map[string]*sharedSession
	ended map[string]bool // by DELETE here, lately
	down  bool
	wg    sync.WaitGroup // for sessions that are being forgotten
}

// sharedSession is what one server remembers of a shared session.
type sharedSession struct {
	id      string
	session *Session
	posts   int
	idle    *time.Timer
	calls   map[string]context.CancelCauseFunc // in flight here, by request id
}

func newShared(s *Server, opts *HTTPOptions) *shared {
	return &shared{
		server: s, opts: opts, byID: map[string]*sharedSession{}, ended: map[string]bool{},
		inner: mcp.NewStreamableHTTPHandler(
			func(*http.Request) *mcp.Server { return s.mcp },
			&mcp.StreamableHTTPOptions{
				Stateless: true, Logger: s.opts.logger(), MaxRequestBodyBytes: -1, DisableLocalhostProtection: true,
			}),
	}
}

func (s *shared) seals(principal string) *sealedHandles {
	return newHandles(s.opts.HandleKey, "session\x00"+principal)
}

// newID makes an id for a principal's session.
func (s *shared) newID(principal string) string { return s.seals(principal).Seal(rand.Text()) }

// known tells whether an id is of a session of the principal that has not been
// ended here.
func (s *shared) known(id, principal string) bool {
	_, genuine := s.seals(principal).Open(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return genuine && !s.ended[id]
}

// enter counts a POST in. The session is made when this server sees it for the
// first time.
func (s *shared) enter(ctx context.Context, id, principal string) (*sharedSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID[id]
	switch {
	case s.down:
		return nil, errShuttingDown
	case e == nil && len(s.byID) >= s.opts.Limits.Sessions:
		return nil, errFull
	case e == nil:
		e = s.newSession(ctx, id, principal)
		s.byID[id] = e
	}
	e.posts++
	e.idle.Stop()
	return e, nil
}

func (s *shared) newSession(ctx context.Context, id, principal string) *sharedSession {
	e := &sharedSession{id: id, calls: map[string]context.CancelCauseFunc{}, session: s.server.NewSession(context.WithoutCancel(ctx), &SessionOptions{
		Principal: principal, ID: id, Shared: true,
		AttachOwnOnly: s.opts.Tokens != nil && !s.opts.AttachAny,
	})}
	e.idle = time.AfterFunc(s.opts.SessionTTL, func() { s.expire(e) })
	return e
}

func (s *shared) exit(e *sharedSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.posts--; e.posts == 0 && s.byID[e.id] == e {
		e.idle.Reset(s.opts.SessionTTL)
	}
}

// expire forgets a session that is idle here. It may be busy elsewhere, so its
// sandboxes are left to their own timeouts.
func (s *shared) expire(e *sharedSession) {
	s.mu.Lock()
	if s.down || e.posts > 0 || s.byID[e.id] != e {
		s.mu.Unlock()
		return
	}
	delete(s.byID, e.id)
	s.wg.Add(1)
	s.mu.Unlock()
	defer s.wg.Done()
	s.close(context.Background(), e)
}

func (s *shared) close(ctx context.Context, e *sharedSession) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.CloseLimit)
	defer cancel()
	if err := e.session.Close(ctx); err != nil {
		s.server.opts.logger().Warn("a shared session did not close", "error", err)
	}
}

// end destroys the sandboxes of a session, whichever server made them.
func (s *shared) end(ctx context.Context, id, principal string) error {
	s.mu.Lock()
	e := s.byID[id]
	if e == nil {
		e = s.newSession(ctx, id, principal)
	}
	e.idle.Stop()
	delete(s.byID, id)
	s.ended[id] = true
	s.mu.Unlock()
	time.AfterFunc(s.opts.SessionTTL, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.ended, id)
	})
	e.session.end()
	return e.session.Sandboxes.Destroy(ctx)
}

// shutdown cancels the calls of this server. Sessions go on elsewhere.
func (s *shared) shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.down = true
	all := s.byID
	s.byID = map[string]*sharedSession{}
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, e := range all {
		wg.Go(func() {
			e.idle.Stop()
			s.close(ctx, e)
		})
	}
	wg.Wait()
	await(ctx, &s.wg)
	return nil
}

func (s *shared) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

// start notes a call in flight, so that the caller can cancel it; done forgets
// it.
func (s *shared) start(e *sharedSession, id json.RawMessage) (session *Session, done func()) {
	session, cancel := e.session.child()
	s.mu.Lock()
	defer s.mu.Unlock()
	e.calls[string(id)] = cancel
	return session, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(e.calls, string(id))
		cancel(nil)
	}
}

// errCancelled is the cause of calls that their caller took back.
var errCancelled = toolErrorf(CodeCancelled, "The call was cancelled.")

// cancel ends the call that a notification names, if it runs here.
func (s *shared) cancel(e *sharedSession, m *message) {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if m.method != "notifications/cancelled" || json.Unmarshal(m.params, &params) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := e.calls[string(params.RequestID)]; cancel != nil {
		cancel(errCancelled)
	}
}

// check refuses options with which servers could not share sessions.
func (o *HTTPOptions) check() error {
	switch {
	case o.SessionState != "" && o.SessionState != StateMemory && o.SessionState != StateBackend:
		return errors.New("session state must be memory or backend")
	case o.SessionState == StateBackend && len(o.HandleKey) == 0:
		return errors.New("session state in the backend needs a HandleKey, the same in every server")
	}
	return nil
}
