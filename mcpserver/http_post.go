package mcpserver

import (
	"bytes"
	"io"
	"net/http"
)

// sessionHeader carries the id of a session (transports, "Session Management").
const sessionHeader = "Mcp-Session-Id"

// errSessionNotFound is the answer for a session that ended, never was, or is
// another caller's: all the same to whoever asks.
const errSessionNotFound = "session not found: it ended or never existed; initialize a new one"

func (h *Handler) servePost(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(r, h.opts.Limits.Body)
	if err != nil {
		writeBodyError(w, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	message := peek(body)
	id := r.Header.Get(sessionHeader)
	switch {
	case h.modern.speaks(r):
		h.postModern(w, r, message)
	case id != "" && h.shared != nil:
		h.postShared(w, r, id, message)
	case id != "":
		h.postToSession(w, r, id, message)
	case r.Header.Get(versionHeader) >= firstModern:
		h.inner.ServeHTTP(w, r) // not served here: the SDK tells which revisions are
	case message.method == "initialize" && h.shared != nil:
		h.initializeShared(w, r)
	case message.method == "initialize":
		h.initialize(w, r)
	case message.readable:
		writeRPCError(w, http.StatusBadRequest, message.id, "no Mcp-Session-Id header: initialize a session first")
	default:
		h.inner.ServeHTTP(w, r) // not JSON-RPC: the SDK says how
	}
}

// initialize opens a session if there is room for one.
func (h *Handler) initialize(w http.ResponseWriter, r *http.Request) {
	release, err := h.hub.reserve()
	if err != nil {
		w.Header().Set("Retry-After", retryAfterFull)
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer release()
	w.Header().Set("X-Accel-Buffering", "no")
	h.inner.ServeHTTP(w, r)
}

func (h *Handler) postToSession(w http.ResponseWriter, r *http.Request, id string, message message) {
	entry := h.hub.find(id, principalFrom(r.Context()))
	if entry == nil || !entry.enter() {
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	defer entry.exit()
	release, ok := h.admit(w, message, entry.principal, entry.id)
	if !ok {
		return
	}
	defer release()
	answer := newAnswer(w, message.id, h.opts.KeepAlive)
	defer answer.finish()
	h.inner.ServeHTTP(answer, r)
}

// postModern serves a request that stands alone. Closing its connection cancels
// it.
func (h *Handler) postModern(w http.ResponseWriter, r *http.Request, message message) {
	principal := principalFrom(r.Context())
	release, ok := h.admit(w, message, principal, principal)
	if !ok {
		return
	}
	defer release()
	answer := newAnswer(w, message.id, h.opts.KeepAlive)
	defer answer.finish()
	if err := h.modern.serve(answer, r, principal); err != nil {
		answer.Header().Set("Retry-After", retryAfterFull)
		http.Error(answer, err.Error(), http.StatusServiceUnavailable)
	}
}

// admit holds tool calls to the limits of their caller; everything else is free.
func (h *Handler) admit(w http.ResponseWriter, message message, principal, session string) (release func(), ok bool) {
	var admitted []func()
	release = func() {
		for _, one := range admitted {
			one()
		}
	}
	for range message.calls {
		one, wait := h.gate.admit(principal, session)
		if wait != "" {
			release()
			w.Header().Set("Retry-After", wait)
			writeRPCError(w, http.StatusTooManyRequests, message.id, "too many calls: try again after Retry-After seconds")
			return nil, false
		}
		admitted = append(admitted, one)
	}
	return release, true
}
