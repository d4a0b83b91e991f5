package mcpserver

import (
	"context"
	"net/http"
)

// serveDelete ends a session. The owner is checked before anything is touched.
// Calls in flight are cancelled and get their answer; the sandboxes are
// destroyed, which is waited for up to a limit.
func (h *Handler) serveDelete(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		http.Error(w, "no Mcp-Session-Id header", http.StatusBadRequest)
		return
	}
	entry := h.hub.find(id, principalFrom(r.Context()))
	if entry == nil || !entry.beginClose() {
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), h.opts.CloseLimit)
	defer cancel()
	h.hub.end(ctx, entry)
	w.WriteHeader(http.StatusNoContent)
}
