package mcpserver

import (
	"context"
	"net/http"
)

// serveShared serves a request of a session that other servers serve too. There
// is no GET stream: nothing of the server's own accord is ever sent.
func (h *Handler) serveShared(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		h.servePost(w, r)
	case http.MethodDelete:
		h.deleteShared(w, r)
	default:
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

// initializeShared gives an id out. Nothing is kept for it.
func (h *Handler) initializeShared(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(sessionHeader, h.shared.newID(principalFrom(r.Context())))
	h.shared.inner.ServeHTTP(w, r)
}

func (h *Handler) postShared(w http.ResponseWriter, r *http.Request, id string, message message) {
	principal := principalFrom(r.Context())
	if !h.shared.known(id, principal) {
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	entry, err := h.shared.enter(r.Context(), id, principal)
	if err != nil {
		w.Header().Set("Retry-After", retryAfterFull)
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer h.shared.exit(entry)
	release, ok := h.admit(w, message, principal, id)
	if !ok {
		return
	}
	defer release()
	h.shared.cancel(entry, &message)
	session, done := h.shared.start(entry, message.id)
	defer done()
	answer := newAnswer(w, message.id, h.opts.KeepAlive)
	defer answer.finish()
	h.shared.inner.ServeHTTP(answer, r.WithContext(WithSession(r.Context(), session)))
}

func (h *Handler) deleteShared(w http.ResponseWriter, r *http.Request) {
	id, principal := r.Header.Get(sessionHeader), principalFrom(r.Context())
	switch {
	case id == "":
		http.Error(w, "no Mcp-Session-Id header", http.StatusBadRequest)
		return
	case !h.shared.known(id, principal):
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), h.opts.CloseLimit)
	defer cancel()
	if err := h.shared.end(ctx, id, principal); err != nil {
		h.hub.server.opts.logger().Error("sandboxes of an ended session may be left", "error", err)
	}
	w.WriteHeader(http.StatusNoContent)
}
