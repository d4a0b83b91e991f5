package transfer_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// signed is a query with the signature that the contract describes.
func signed(path, operation, user, token, expiry string) string {
	text := strings.Join([]string{path, operation, user, token}, ":")
	query := url.Values{"path": {path}}
	if user != "" {
		query.Set("username", user)
	}
	if expiry != "" {
		text += ":" + expiry
		query.Set("signature_expiration", expiry)
	}
	sum := sha256.Sum256([]byte(text))
	query.Set("signature", "v1_"+strings.TrimRight(base64.StdEncoding.EncodeToString(sum[:]), "="))
	return "/files?" + query.Encode()
}

func TestSecuredFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t, true, settings.Values{Token: "secret"})
	b.write("f", "x")
	path := b.home + "/f"
	soon, past := fmt.Sprint(time.Now().Unix()+60), fmt.Sprint(time.Now().Unix()-60)
	const header, right = "X-Access-Token", "secret"
	for _, tt := range []struct {
		what, target string
		headers      []string
		code         int
		text         string
	}{
		{"header", "/files?path=f", []string{header, right}, 200, ""},
		{"nothing", "/files?path=f", nil, 401, "missing signature query parameter"},
		{"wrong header", "/files?path=f", []string{header, "wrong"}, 401, "access token present in header but does not match"},
		{"signature", signed(path, "read", "", right, ""), nil, 200, ""},
		{"signature of a relative path", signed("f", "read", "", right, ""), nil, 200, ""},
		{"signature with user", signed(path, "read", "user", right, ""), nil, 200, ""},
		{"signature with end", signed(path, "read", "", right, soon), nil, 200, ""},
		{"signature that is over", signed(path, "read", "", right, past), nil, 401, "signature is already expired"},
		{"end that was moved", strings.Replace(signed(path, "read", "", right, past), past, soon, 1), nil, 401, "invalid signature"},
		{"end that is no number", signed(path, "read", "", right, "soon"), nil, 400, "signature_expiration must be a unix time"},
		{"signature for writing", signed(path, "write", "", right, ""), nil, 401, "invalid signature"},
		{"signature by another token", signed(path, "read", "", "other", ""), nil, 401, "invalid signature"},
		{"signature for another user", signed(path, "read", "root", right, "") + "&x", nil, 401, "unknown user root"},
		{"good signature, wrong header", signed(path, "read", "", right, ""), []string{header, "wrong"}, 401, "does not match"},
	} {
		w := b.do("GET", tt.target, nil, tt.headers...)
		if w.Code != tt.code || !strings.Contains(w.Body.String(), tt.text) {
			t.Errorf("%s: %d %s; want %d with %q", tt.what, w.Code, w.Body, tt.code, tt.text)
		}
		if strings.Contains(w.Body.String(), right) {
			t.Errorf("%s: the answer tells the token", tt.what)
		}
	}
	w := b.do("POST", signed(b.home+"/new", "write", "", right, ""), strings.NewReader("up"), "Content-Type", raw)
	if w.Code != 200 {
		t.Errorf("signed upload: %d %s", w.Code, w.Body)
	}
	b.holds("new", "up")
}
