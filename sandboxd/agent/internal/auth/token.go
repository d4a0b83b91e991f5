// Package auth decides who may call the agent: the sandbox's access token,
// signatures of file urls, and the user that a request runs as.
package auth

import (
	"crypto/subtle"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/rest"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// TokenHeader carries the access token of a secured sandbox.
const TokenHeader = "X-Access-Token"

const refusal = "unauthorized access, please provide a valid access token or method signing if supported"

// exempt are the requests that do without the header: they need no token, or
// check it in their own way (envd contract: token rules).
var exempt = map[string]bool{
	"GET /health": true,
	"GET /files":  true,
	"POST /files": true,
	"POST /init":  true,
}

// Tokens lets a request of a secured sandbox through when its token is right.
// The refusal is plain JSON on every path, RPC paths too.
func Tokens(store *settings.Store, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := store.Get().Token
		if token == "" || exempt[r.Method+" "+r.URL.Path] || Same(r.Header.Get(TokenHeader), token) {
			next.ServeHTTP(w, r)
			return
		}
		rest.Error(w, http.StatusUnauthorized, refusal)
	})
}

// Same compares two secrets in constant time.
func Same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
