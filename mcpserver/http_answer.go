package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Clients and proxies give up on an answer whose headers do not come, and cut
// streams that are silent. Both are told that something is going on by comments.
const (
	firstComment = time.Second
	nextComments = 15 * time.Second
)

// answer is a ResponseWriter that keeps an event stream alive: it sends headers
// and a comment when the SDK says nothing for a second, comments while the
// stream is silent, and an error where the SDK would leave the body empty. The
// SDK writes one whole event a call, so a comment never falls inside one.
type answer struct {
	http.ResponseWriter
	id json.RawMessage // of the request, nil when no answer is owed

	mu      sync.Mutex
	started bool // headers are sent
	stream  bool // they said text/event-stream
	said    bool // something other than a comment was sent

	stop chan struct{}
	done chan struct{}
}

func newAnswer(w http.ResponseWriter, id json.RawMessage) *answer {
	w.Header().Set("X-Accel-Buffering", "no")
	a := &answer{ResponseWriter: w, id: id, stop: make(chan struct{}), done: make(chan struct{})}
	go a.keepAlive()
	return a
}

// WriteHeader implements http.ResponseWriter. After the first comment the
// status is sent already and was 200.
func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.start(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.start(http.StatusOK)
	a.said = a.said || len(data) > 0
	return a.ResponseWriter.Write(data)
}

// Flush implements http.Flusher.
func (a *answer) Flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answer) start(status int) {
	if a.started {
		return
	}
	a.started = true
	a.stream = status == http.StatusOK && strings.HasPrefix(a.Header().Get("Content-Type"), "text/event-stream")
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() }

func (a *answer) keepAlive() {
	defer close(a.done)
	timer := time.NewTimer(firstComment)
	defer timer.Stop()
	for {
		select {
		case <-a.stop:
			return
		case <-timer.C:
			a.comment()
			timer.Reset(nextComments)
		}
	}
}

func (a *answer) comment() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.started {
		a.Header().Set("Content-Type", "text/event-stream")
		a.Header().Set("Cache-Control", "no-cache, no-transform")
		a.start(http.StatusOK)
	}
	if a.stream {
		_, _ = a.ResponseWriter.Write([]byte(": ok\n\n")) // a dead connection ends the request by itself
		a.flush()
	}
}

// finish stops the comments and gives a request that got no answer, because its
// session was closed over it, an error.
func (a *answer) finish() {
	close(a.stop)
	<-a.done
	if a.said || len(a.id) == 0 || (a.started && !a.stream) {
		return
	}
	const lost = "the session ended before the call did"
	if !a.started {
		writeRPCError(a.ResponseWriter, http.StatusNotFound, a.id, lost)
		return
	}
	_, _ = fmt.Fprintf(a.ResponseWriter, "event: message\ndata: %s\n\n", rpcError(a.id, lost))
}
