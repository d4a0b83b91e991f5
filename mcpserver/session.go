package mcpserver

import (
	"context"
	"errors"
)

// Era tells the two families of protocol revisions apart.
type Era int

const (
	// EraLegacy has sessions: revisions 2024-11-05 to 2025-11-25.
	EraLegacy Era = iota
	// EraModern has none: state is named in every request, from 2026-07-28 on.
	EraModern
)

// Session is whom a tool call belongs to. Transports supply it; handlers and
// the manager only read it.
type Session struct {
	// Principal owns the sandboxes: the name of a token, or "" where there is
	// no authentication.
	Principal string
	// ID is the transport's session id, "" for the one session of a process.
	ID string
	// Era is the protocol family the session speaks.
	Era Era
	// Sandboxes are the sandboxes of the session.
	Sandboxes *SandboxManager

	maxOutput int           // bytes of a stream that a result shows
	calls     chan struct{} // as many as calls may be at work at once

	ctx    context.Context
	cancel context.CancelCauseFunc
}

// errSessionClosed is the cause of contexts that end with their session.
var errSessionClosed = errors.New("session closed")

// SessionOptions says what a new session is. The zero value is the one session
// of a process.
type SessionOptions struct {
	Principal, ID string
	Era           Era
	// Shared says that other processes serve the session too: what sandboxes it
	// has and which is its default is asked of the backend, and Close leaves
	// them to their timeouts. ID must be given.
	Shared bool
	// AttachOwnOnly lets calls name only sandboxes whose owner is Principal.
	AttachOwnOnly bool
	// Handles are what callers are shown for sandbox ids; nil shows the ids.
	Handles Handles
}

// NewSession makes a session with no sandboxes. It has the values of ctx and
// ends with Close, which must be called.
func (s *Server) NewSession(ctx context.Context, opts *SessionOptions) *Session {
	if opts == nil {
		opts = &SessionOptions{}
	}
	sessionCtx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	return &Session{
		Principal: opts.Principal, ID: opts.ID, Era: opts.Era,
		Sandboxes: newManager(sessionCtx, s.backend, &s.opts, opts),
		maxOutput: s.opts.maxOutput(), calls: make(chan struct{}, s.opts.maxCalls()),
		ctx: sessionCtx, cancel: cancel,
	}
}

// Close cancels the calls of the session and destroys its sandboxes. It returns
// when that is done or ctx ends, and reports what could not be destroyed.
func (s *Session) Close(ctx context.Context) error {
	s.end()
	return s.Sandboxes.Close(ctx)
}

// end cancels the calls of the session.
func (s *Session) end() { s.cancel(errSessionClosed) }

// child is the session for one call, which cancel ends alone.
func (s *Session) child() (_ *Session, cancel context.CancelCauseFunc) {
	c := *s
	c.ctx, cancel = context.WithCancelCause(s.ctx)
	return &c, cancel
}

// bind derives a context that ends with the call or with the session.
func (s *Session) bind(ctx context.Context) (context.Context, context.CancelFunc) {
	callCtx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return callCtx, func() { stop(); cancel(nil) }
}

// admit lets a call in, unless too many of the session are at work.
func (s *Session) admit() (leave func(), err error) {
	select {
	case s.calls <- struct{}{}:
		return func() { <-s.calls }, nil
	default:
		return nil, toolErrorf(CodeRateLimited, "This session has %d calls at work, the most it may have at once. Call again when one of them has ended.", cap(s.calls))
	}
}

// endOf tells why a context ended: with its session, by an error of ours, or
// else only that it was cancelled or ran out of time.
func endOf(ctx context.Context) error {
	cause := context.Cause(ctx)
	if _, ours := errors.AsType[*ToolError](cause); ours || errors.Is(cause, errSessionClosed) {
		return cause
	}
	return ctx.Err()
}

// because gives the end of a context in place of the error it made.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return endOf(ctx)
	}
	return err
}

type sessionKey struct{}

// WithSession puts the session of a call into its context; a transport does so
// before the call reaches a tool.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

func sessionFrom(ctx context.Context) (*Session, bool) {
	s, ok := ctx.Value(sessionKey{}).(*Session)
	return s, ok
}
