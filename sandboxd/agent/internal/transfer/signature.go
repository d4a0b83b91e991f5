package transfer

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/auth"
)

// Operations that a signature is made for.
const (
	opRead  = "read"
	opWrite = "write"
)

// authorize admits a request with the right token in its header or, without
// that header, with a valid signature of path, operation and user. A wrong
// header is refused even beside a good signature (envd contract: token rules).
func (h *Handler) authorize(r *http.Request, operation string) error {
	token := h.opts.Settings.Get().Token
	if token == "" {
		return nil
	}
	if sent := r.Header.Values(auth.TokenHeader); len(sent) > 0 && sent[0] != "" {
		if auth.Same(sent[0], token) {
			return nil
		}
		return fail(http.StatusUnauthorized, "access token present in header but does not match")
	}
	return checkSignature(r.URL.Query(), operation, token)
}

func checkSignature(query url.Values, operation, token string) error {
	given := query.Get("signature")
	if given == "" {
		return fail(http.StatusUnauthorized, "missing signature query parameter")
	}
	expiry := query.Get("signature_expiration")
	if !auth.Same(given, sign(query.Get("path"), operation, query.Get("username"), token, expiry)) {
		return fail(http.StatusUnauthorized, "invalid signature")
	}
	if expiry == "" {
		return nil
	}
	end, err := strconv.ParseInt(expiry, 10, 64)
	if err != nil {
		return fail(http.StatusBadRequest, "signature_expiration must be a unix time in seconds, got '%s'", expiry)
	}
	if time.Now().Unix() > end {
		return fail(http.StatusUnauthorized, "signature is already expired")
	}
	return nil
}

// sign is "v1_" and the unpadded base64 of the sha256 of
// path:operation:username:token, with :expiry when there is one.
func sign(path, operation, username, token, expiry string) string {
	text := path + ":" + operation + ":" + username + ":" + token
	if expiry != "" {
		text += ":" + expiry
	}
	sum := sha256.Sum256([]byte(text))
	return "v1_" + base64.RawStdEncoding.EncodeToString(sum[:])
}
