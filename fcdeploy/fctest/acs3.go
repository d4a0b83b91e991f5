package fctest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	acsAlgorithm = "ACS3-HMAC-SHA256"
	acsVersion   = "2023-03-30"
	maxSkew      = 15 * time.Minute
)

// verifyACS3 checks signature version 3 of Alibaba Cloud's open API: the
// canonical request is method, path, query, signed headers, their names and the
// hash of the body; the signature is HMAC-SHA256 over the hash of that.
func (s *Server) verifyACS3(r *http.Request, body []byte, action string) *apiError {
	signed, signature, e := s.parseACS3(r.Header.Get("Authorization"))
	if e != nil {
		return e
	}
	if e := s.checkACSHeaders(r, body, action, signed); e != nil {
		return e
	}
	want := sign(sha256.New, s.options.AccessKeySecret, acsAlgorithm+"\n"+hashHex([]byte(canonicalACS3(r, signed))))
	if !hmac.Equal([]byte(hex.EncodeToString(want)), []byte(signature)) {
		return denied("SignatureDoesNotMatch", "The request signature does not match.")
	}
	if !s.nonces.use(r.Header.Get("X-Acs-Signature-Nonce")) {
		return &apiError{status: http.StatusBadRequest, code: "SignatureNonceUsed", message: "The nonce was used before."}
	}
	return nil
}

func (s *Server) parseACS3(authorization string) (signed []string, signature string, e *apiError) {
	fields, ok := strings.CutPrefix(authorization, acsAlgorithm+" ")
	if !ok {
		return nil, "", denied("MissingAuthorization", "Authorization is not "+acsAlgorithm)
	}
	values := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		values[name] = value
	}
	if values["Credential"] != s.options.AccessKeyID {
		return nil, "", denied("InvalidAccessKeyId.NotFound", "Specified access key is not found.")
	}
	return strings.Split(values["SignedHeaders"], ";"), values["Signature"], nil
}

func (s *Server) checkACSHeaders(r *http.Request, body []byte, action string, signed []string) *apiError {
	needed := []string{"host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"}
	if s.options.SecurityToken != "" {
		needed = append(needed, "x-acs-security-token")
		if r.Header.Get("X-Acs-Security-Token") != s.options.SecurityToken {
			return denied("InvalidSecurityToken", "The security token is missing or expired.")
		}
	}
	for _, name := range needed {
		if !slices.Contains(signed, name) {
			return denied("IncompleteSignature", "header "+name+" is not signed")
		}
	}
	if !slices.IsSorted(signed) {
		return denied("IncompleteSignature", "the signed headers are not in order")
	}
	date, err := time.Parse("2006-01-02T15:04:05Z", r.Header.Get("X-Acs-Date"))
	if err != nil || time.Since(date).Abs() > maxSkew {
		return &apiError{status: http.StatusBadRequest, code: "InvalidTimeStamp.Expired", message: "x-acs-date is malformed or more than 15 minutes away"}
	}
	switch {
	case r.Header.Get("X-Acs-Version") != acsVersion:
		return invalid("x-acs-version is not %s", acsVersion)
	case r.Header.Get("X-Acs-Action") != action:
		return invalid("x-acs-action %q is not the action of this path", r.Header.Get("X-Acs-Action"))
	case r.Header.Get("X-Acs-Content-Sha256") != hashHex(body):
		return denied("SignatureDoesNotMatch", "x-acs-content-sha256 is not the hash of the body")
	}
	return nil
}

func canonicalACS3(r *http.Request, signed []string) string {
	var headers strings.Builder
	for _, name := range signed {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	return strings.Join([]string{r.Method, r.URL.EscapedPath(), canonicalQuery(r.URL.Query()), headers.String(),
		strings.Join(signed, ";"), r.Header.Get("X-Acs-Content-Sha256")}, "\n")
}

func canonicalQuery(query url.Values) string {
	var parts []string
	for name, values := range query {
		for _, value := range values {
			parts = append(parts, rfc3986(name)+"="+rfc3986(value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "&")
}

func rfc3986(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

func hashHex(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func denied(code, message string) *apiError {
	return &apiError{status: http.StatusForbidden, code: code, message: message}
}

// nonces remembers the signatures that were used.
type nonces struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (n *nonces) use(nonce string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen[nonce] || nonce == "" {
		return false
	}
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	n.seen[nonce] = true
	return true
}
