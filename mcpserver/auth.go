package mcpserver

import (
	"net/http"
	"strings"
)

// authenticate finds out who calls, or answers 401. A scheme is demanded as RFC
// 6750 says; the body is JSON, since clients that see another kind start to
// look for an OAuth server.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request) (principal string, ok bool) {
	if h.opts.Tokens == nil {
		return "", true
	}
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	if !found || !strings.EqualFold(scheme, "Bearer") {
		unauthorized(w, `Bearer`, "missing_token", "send the server's token as Authorization: Bearer TOKEN")
		return "", false
	}
	principal, ok = h.opts.Tokens.Principal(strings.TrimSpace(token))
	if !ok {
		unauthorized(w, `Bearer error="invalid_token"`, "invalid_token", "the token is not one of this server's")
	}
	return principal, ok
}

func unauthorized(w http.ResponseWriter, challenge, code, text string) {
	w.Header().Set("WWW-Authenticate", challenge)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = w.Write([]byte(`{"error":"` + code + `","error_description":"` + text + `"}` + "\n"))
}
