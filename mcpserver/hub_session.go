package mcpserver

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// openSession is an HTTP session: the SDK's half, ours, and what is open on it.
type openSession struct {
	id        string
	principal string
	ss        *mcp.ServerSession
	session   *Session
	ttl       time.Duration
	shut      chan struct{} // closed when whoever began the close is through
	freed     chan struct{} // closed when its sandboxes are destroyed
	once      sync.Once     // guards the destruction
	failure   error         // what could not be destroyed; read after freed

	mu      sync.Mutex
	closing bool // one-way
	posts   int  // POST requests whose answer is not delivered yet
	streams int
	idle    *time.Timer
	since   time.Time     // when it became idle last
	drained chan struct{} // closed when closing and posts is 0
}

func (h *SessionStore) newOpenSession(ss *mcp.ServerSession, principal string) *openSession {
	e := &openSession{
		id: ss.ID(), principal: principal, ss: ss, ttl: h.opts.SessionTTL,
		session: h.server.NewSession(context.Background(), &SessionOptions{
			Principal: principal, ID: ss.ID(), AttachOwnOnly: h.opts.Tokens != nil && !h.opts.AttachAny,
		}),
		shut: make(chan struct{}), freed: make(chan struct{}), drained: make(chan struct{}),
		since: time.Now(),
	}
	e.mu.Lock() // the timer may fire before it is assigned
	defer e.mu.Unlock()
	e.idle = time.AfterFunc(e.ttl, func() { h.expire(e) })
	return e
}

// enter counts a POST in. It fails on a session that is being closed. Counting
// is done around the whole HTTP exchange: an answer is delivered only when the
// handler has returned.
func (e *openSession) enter() bool { return e.open(&e.posts) }

// exit counts a POST out.
func (e *openSession) exit() { e.leave(&e.posts) }

// openStream counts a GET stream in, closeStream out.
func (e *openSession) openStream() bool { return e.open(&e.streams) }

func (e *openSession) closeStream() { e.leave(&e.streams) }

func (e *openSession) open(count *int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return false
	}
	*count++
	e.idle.Stop()
	return true
}

func (e *openSession) leave(count *int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	*count--
	switch {
	case e.closing && e.posts == 0 && count == &e.posts:
		close(e.drained)
	case !e.closing && e.posts == 0 && e.streams == 0:
		e.since = time.Now()
		e.idle.Reset(e.ttl)
	}
}

// beginClose makes the caller the one who ends the session; false when another
// is already.
func (e *openSession) beginClose() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.beginCloseLocked()
}

// beginCloseIdle is beginClose for the timer, which loses against any request,
// also one that came and went since it fired.
func (e *openSession) beginCloseIdle() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.posts == 0 && e.streams == 0 && time.Since(e.since) >= e.ttl && e.beginCloseLocked()
}

func (e *openSession) beginCloseLocked() bool {
	if e.closing {
		return false
	}
	e.closing = true
	e.idle.Stop()
	if e.posts == 0 {
		close(e.drained)
	}
	return true
}
