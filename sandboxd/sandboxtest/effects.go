package sandboxtest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// Effect is what a fault does to a request: it answers in place of next, or
// calls next and spoils its answer.
type Effect func(w http.ResponseWriter, r *http.Request, next http.Handler)

// Delay lets d pass before the request is handled, or until the client gives
// up.
func Delay(d time.Duration) Effect {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// Status answers with a status and the API's error body.
func Status(status int, message string) Effect {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { writeError(w, status, message) }
}

// RateLimited answers 429 with a Retry-After of whole seconds.
func RateLimited(retryAfter time.Duration) Effect {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		seconds := strconv.Itoa(int(retryAfter / time.Second))
		w.Header().Set(api.HeaderRetryAfter, seconds)
		w.Header().Set("RateLimit-Limit", "10")
		w.Header().Set("RateLimit-Remaining", "0")
		w.Header().Set("RateLimit-Reset", seconds)
		writeError(w, http.StatusTooManyRequests, "Rate limit exceeded, please try again later.")
	}
}

// QuotaExceeded answers 429 as for too many sandboxes: without Retry-After.
func QuotaExceeded() Effect {
	return Status(http.StatusTooManyRequests, "you have reached the maximum number of concurrent E2B sandboxes")
}

func writeError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// The status is out; whoever hangs up now has lost interest.
	_ = json.NewEncoder(w).Encode(api.Error{Code: int32(status), Message: message})
}

// HTMLPage answers with the kind of page that a gateway in front of a service
// puts up.
func HTMLPage(status int) Effect {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		title := fmt.Sprintf("%d %s", status, http.StatusText(status))
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<html>\r\n<head><title>%s</title></head>\r\n<body>\r\n<center><h1>%s</h1></center>\r\n"+
			"<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n", title, title)
	}
}

// PlainText answers with a status and a text, as "upstream request timeout".
func PlainText(status int, text string) Effect {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { http.Error(w, text, status) }
}

// Redirect sends the client elsewhere, with a 307.
func Redirect(url string) Effect {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, url, http.StatusTemporaryRedirect)
	}
}

// Reset resets the connection; the backend does not see the request.
func Reset() Effect {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { reset(w) }
}

// LoseAnswer lets the backend do what was asked, and resets the connection in
// place of the answer: what was created exists, and the client cannot know.
func LoseAnswer() Effect {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&discard{header: make(http.Header)}, r)
		reset(w)
	}
}

// reset ends the connection with a TCP reset, or the stream of HTTP/2 with
// its own.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// discard takes an answer that nobody gets.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}
func (d *discard) Flush()                      {}
