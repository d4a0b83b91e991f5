package fctest

import (
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // FC 2.0 demands Content-MD5
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"net/http"
	"slices"
	"strings"
	"time"
)

// verifyFC2 checks the signature of FC 2.0: HMAC-SHA256 over method,
// Content-MD5, Content-Type, Date, the x-fc-* headers and the path.
func (s *Server) verifyFC2(r *http.Request, body []byte, _ string) *apiError {
	key, signature, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "FC "), ":")
	date, err := http.ParseTime(r.Header.Get("Date"))
	switch {
	case key != s.options.AccessKeyID:
		return denied("InvalidAccessKeyID", "access key id is unknown")
	case err != nil || time.Since(date).Abs() > maxSkew:
		return denied("AccessDenied", "Date is malformed or more than 15 minutes away")
	case len(body) > 0 && r.Header.Get("Content-Md5") != md5Hex(body):
		return invalid("Content-MD5 is not the hash of the body")
	case s.options.SecurityToken != "" && r.Header.Get("X-Fc-Security-Token") != s.options.SecurityToken:
		return denied("InvalidSecurityToken", "the security token is missing or expired")
	}
	want := base64.StdEncoding.EncodeToString(sign(sha256.New, s.options.AccessKeySecret, canonicalFC2(r)))
	if !hmac.Equal([]byte(want), []byte(signature)) {
		return denied("SignatureNotMatch", "the request signature does not match")
	}
	return nil
}

func canonicalFC2(r *http.Request) string {
	var headers []string
	for name, values := range r.Header {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-fc-") {
			headers = append(headers, lower+":"+strings.Join(values, ",")+"\n")
		}
	}
	slices.Sort(headers)
	return strings.Join([]string{r.Method, r.Header.Get("Content-Md5"), r.Header.Get("Content-Type"), r.Header.Get("Date"),
		strings.Join(headers, "") + r.URL.Path}, "\n")
}

func sign(algorithm func() hash.Hash, key, text string) []byte {
	mac := hmac.New(algorithm, []byte(key))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func md5Hex(data []byte) string {
	sum := md5.Sum(data) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}
