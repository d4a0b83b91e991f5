package sandboxclient

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// SignedURLOptions configure ReadURL and WriteURL; nil means the defaults.
type SignedURLOptions struct {
	// User is the OS user of the access; "" is the default user.
	User string
	// Expires is when the URL stops working, in whole seconds; zero: with the
	// sandbox.
	Expires time.Time
}

// ReadURL is an address that anyone can GET the file from. It holds a
// signature in place of the token when the sandbox is secure; on FC a secure
// sandbox wants the token all the same (FC documentation).
func (f *Files) ReadURL(path string, opts *SignedURLOptions) string {
	return f.signedURL(path, "read", opts)
}

// WriteURL is an address that anyone can POST the file to, as the form field
// "file". See ReadURL.
func (f *Files) WriteURL(path string, opts *SignedURLOptions) string {
	return f.signedURL(path, "write", opts)
}

func (f *Files) signedURL(path, operation string, opts *SignedURLOptions) string {
	if opts == nil {
		opts = &SignedURLOptions{}
	}
	s := f.sandbox
	user := s.user(opts.User)
	q := url.Values{"path": {path}}
	if user != "" {
		q.Set("username", user)
	}
	if s.accessToken != "" {
		expires := ""
		if !opts.Expires.IsZero() {
			expires = strconv.FormatInt(opts.Expires.Unix(), 10)
			q.Set("signature_expiration", expires)
		}
		q.Set("signature", sign(path, operation, user, s.accessToken, expires))
	}
	return s.URL(api.EnvdPort) + api.PathFiles + "?" + q.Encode()
}

// sign is envd's signature: "v1_" and the unpadded base64 of the SHA-256 of
// path:operation:user:token[:expiry].
func sign(path, operation, user, token, expires string) string {
	text := path + ":" + operation + ":" + user + ":" + token
	if expires != "" {
		text += ":" + expires
	}
	sum := sha256.Sum256([]byte(text))
	return "v1_" + base64.RawStdEncoding.EncodeToString(sum[:])
}
