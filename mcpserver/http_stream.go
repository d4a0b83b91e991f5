package mcpserver

import "net/http"

// serveStream serves GET: the stream for what the server sends on its own. It
// keeps its session alive as long as its connection lives.
func (h *Handler) serveStream(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	if id == "" {
		http.Error(w, "no Mcp-Session-Id header: initialize a session first", http.StatusBadRequest)
		return
	}
	entry := h.hub.find(id, principalFrom(r.Context()))
	if entry == nil || !entry.openStream() {
		http.Error(w, errSessionNotFound, http.StatusNotFound)
		return
	}
	defer entry.closeStream()
	answer := newAnswer(w, nil, h.opts.KeepAlive)
	defer answer.finish()
	h.inner.ServeHTTP(answer, r)
}
