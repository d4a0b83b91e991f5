package mcpserver

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SessionStore routes requests to HTTP sessions by their Mcp-Session-Id, and is
// the only place that opens and frees them. The SDK has one server for all of
// them and no place for state of ours, so that is kept here.
type SessionStore struct {
	server *Server
	opts   *HTTPOptions

	mu       sync.Mutex
	byID     map[string]*openSession
	reserved int            // sessions being initialized
	down     bool           // no new session from now on
	pending  sync.WaitGroup // for those being initialized
	wg       sync.WaitGroup // for the freeing goroutines
}

func newSessionStore(s *Server, opts *HTTPOptions) *SessionStore {
	return &SessionStore{server: s, opts: opts, byID: map[string]*openSession{}}
}

var (
	errShuttingDown = errors.New("the server is shutting down")
	errFull         = errors.New("the server has no room for another session")
)

// reserve makes room for a session that is about to be initialized. release
// gives the reservation back, when the session is registered or was not made.
func (h *SessionStore) reserve() (release func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.down:
		return nil, errShuttingDown
	case len(h.byID)+h.reserved >= h.opts.Limits.Sessions:
		return nil, errFull
	}
	h.reserved++
	h.pending.Add(1)
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.reserved--
		h.pending.Done()
	}, nil
}

// find gives a principal's session, nil when it has none with that id.
func (h *SessionStore) find(id, principal string) *openSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e := h.byID[id]; e != nil && e.principal == principal {
		return e
	}
	return nil
}

func (h *SessionStore) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.byID)
}

// middleware registers a session once it is initialized, before its client
// learns the id, and gives every later call its session.
func (h *SessionStore) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		ss, ok := req.GetSession().(*mcp.ServerSession)
		if !ok || ss.ID() == "" {
			return next(ctx, method, req)
		}
		if method == "initialize" {
			result, err := next(ctx, method, req)
			if err == nil {
				err = h.register(ss, principalOf(req))
			}
			return result, err
		}
		h.mu.Lock()
		e := h.byID[ss.ID()]
		h.mu.Unlock()
		if e != nil {
			ctx = WithSession(ctx, e.session)
		}
		return next(ctx, method, req)
	}
}

func principalOf(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		return extra.TokenInfo.UserID
	}
	return ""
}

// register makes the entry of a session, for which there is a reservation, and
// starts the one goroutine that frees it.
func (h *SessionStore) register(ss *mcp.ServerSession, principal string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byID[ss.ID()] != nil {
		return errors.New("the session is initialized already")
	}
	e := h.newOpenSession(ss, principal)
	h.byID[e.id] = e
	h.wg.Go(func() { h.free(e) })
	return nil
}
