package mcpserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// sealLength is how much of the code a handle carries: 26 base32 characters are
// 130 bits, above the 128 that the specification asks of a handle that anybody
// might guess (tools, "Stateful Tools").
const sealLength = 26

var sealText = base32.StdEncoding.WithPadding(base32.NoPadding)

// sealedHandles shows a sandbox as its id and a code that only this server can
// make, for one principal: <id>.<code>.
type sealedHandles struct {
	key       []byte
	principal string
}

func newHandles(key []byte, principal string) *sealedHandles {
	return &sealedHandles{key: key, principal: principal}
}

// randomKey is for servers that were given none: their handles end with them.
func randomKey() []byte { return []byte(rand.Text()) }

// Seal implements Handles.
func (h *sealedHandles) Seal(id string) string { return id + "." + h.code(id) }

// Open implements Handles.
func (h *sealedHandles) Open(handle string) (id string, ok bool) {
	id, code, found := strings.Cut(handle, ".")
	if !found || !hmac.Equal([]byte(strings.ToLower(code)), []byte(h.code(id))) {
		return "", false
	}
	return id, true
}

func (h *sealedHandles) code(id string) string {
	mac := hmac.New(sha256.New, h.key)
	mac.Write([]byte(h.principal + "\x00" + id))
	return strings.ToLower(sealText.EncodeToString(mac.Sum(nil))[:sealLength])
}
