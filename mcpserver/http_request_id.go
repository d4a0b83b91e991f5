package mcpserver

import (
	"crypto/rand"
	"net/http"
	"regexp"
	"sync"
)

// requestHeader names a request in the logs of all that it passes through.
const requestHeader = "X-Request-Id"

// requestForm keeps what callers send from filling or forging a log.
var requestForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._:/+=-]{1,128}$`) })

// nameRequest keeps the caller's name of a request, or gives one, and says it in
// the answer.
func nameRequest(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(requestHeader)
	if !requestForm().MatchString(id) {
		id = rand.Text()[:16]
		r.Header.Set(requestHeader, id)
	}
	w.Header().Set(requestHeader, id)
}
