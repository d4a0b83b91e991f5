package control

import (
	"crypto/subtle"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// authenticate lets a request with one of the keys pass.
func (h *Handler) authenticate(r *http.Request) error {
	given := []byte(r.Header.Get(api.HeaderAPIKey))
	if len(given) == 0 {
		return refuse(http.StatusUnauthorized, "API key is missing: send it in the header %s", api.HeaderAPIKey)
	}
	known := 0
	for _, key := range h.cfg.Keys {
		known |= subtle.ConstantTimeCompare(given, []byte(key))
	}
	if known == 0 {
		return refuse(http.StatusUnauthorized, "API key is not valid")
	}
	return nil
}
