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
	case id != "":
		h.postToSession(w, r, id, message)
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
	h.inner.ServeHTTP(w, r)
}

func (h *Handler) postToSession(w http.ResponseWriter, r *http.Request, id string, message message) {
	entry := h.hub.find(id, principalFrom(r.Context()))
	if entry == nil || !entry.enter() {
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	defer entry.exit()
	if message.method == "tools/call" {
		release, wait := h.gate.admit(entry.principal, entry.id)
		if wait != "" {
			w.Header().Set("Retry-After", wait)
			writeRPCError(w, http.StatusTooManyRequests, message.id, "too many calls: try again after Retry-After seconds")
			return
		}
		defer release()
	}
	answer := newAnswer(w, message.id)
	defer answer.finish()
	h.inner.ServeHTTP(answer, r)
}
