package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Clients and proxies give up on an answer whose headers do not come, and cut
// streams that are silent. Both are told that something is going on by comments:
// one after this long, more at the interval of HTTPOptions.
const firstComment = time.Second

// answer is a ResponseWriter that keeps an event stream alive: it sends headers
// and a comment when the SDK says nothing for a second, comments while the
// stream is silent, and an error where the SDK would leave a request without
// its answer. The SDK writes one whole event a call, so a comment never falls
// inside one.
type answer struct {
	w      http.ResponseWriter
	header http.Header     // the SDK's, sent with its status; comments never touch it
	id     json.RawMessage // of the request, nil when no answer is owed

	mu       sync.Mutex
	started  bool // headers are sent
	stream   bool // they said text/event-stream
	begun    bool // the SDK gave its status
	refusal  bool // that was an error, and came after a comment had sent 200
	answered bool // the response is sent

	stop chan struct{}
	done chan struct{}
}

// newAnswer starts the comments, one every interval; finish must be called.
func newAnswer(w http.ResponseWriter, id json.RawMessage, every time.Duration) *answer {
	w.Header().Set("X-Accel-Buffering", "no")
	a := &answer{w: w, header: http.Header{}, id: id, stop: make(chan struct{}), done: make(chan struct{})}
	go a.keepAlive(every)
	return a
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter. After the first comment the
// status is sent already and was 200.
func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(status)
}

// Write implements http.ResponseWriter.
func (a *answer) Write(data []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(http.StatusOK)
	if a.refusal {
		a.answered = true
		return len(data), a.event(asRPCError(a.id, data))
	}
	a.answered = a.answered || !a.stream || isResponse(data)
	return a.w.Write(data)
}

// Flush implements http.Flusher.
func (a *answer) Flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.w }

func (a *answer) begin(status int) {
	if a.begun {
		return
	}
	a.begun = true
	a.refusal = a.started && status != http.StatusOK
	a.start(status, a.header)
}

func (a *answer) start(status int, header http.Header) {
	if a.started {
		return
	}
	a.started = true
	a.stream = status == http.StatusOK && strings.HasPrefix(header.Get("Content-Type"), "text/event-stream")
	maps.Copy(a.w.Header(), header)
	a.w.WriteHeader(status)
}

func (a *answer) flush() { _ = http.NewResponseController(a.w).Flush() }

func (a *answer) event(data []byte) error {
	_, err := fmt.Fprintf(a.w, "event: message\ndata: %s\n\n", data)
	a.flush()
	return err
}

func (a *answer) keepAlive(every time.Duration) {
	defer close(a.done)
	timer := time.NewTimer(min(firstComment, every))
	defer timer.Stop()
	for {
		select {
		case <-a.stop:
			return
		case <-timer.C:
			a.comment()
			timer.Reset(every)
		}
	}
}

// comment starts the stream of a request that is owed an answer; others start
// when the SDK says what they are.
func (a *answer) comment() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.started && len(a.id) > 0 {
		a.start(http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-cache, no-transform"}})
	}
	if a.stream {
		_, _ = a.w.Write([]byte(": ok\n\n")) // a dead connection ends the request by itself
		a.flush()
	}
}

// finish stops the comments and gives a request that got no answer, because its
// session was closed over it, an error.
func (a *answer) finish() {
	close(a.stop)
	<-a.done
	a.mu.Lock()
	defer a.mu.Unlock()
	const lost = "the session ended before the call did"
	switch {
	case !a.started:
		writeRPCError(a.w, http.StatusNotFound, a.id, lost)
	case a.stream && !a.answered && len(a.id) > 0:
		_ = a.event(rpcError(a.id, lost))
	}
}

// isResponse tells whether an event is the response to a request, and not a
// notification or a request of the server's own. It reads no further than the
// first key that tells.
func isResponse(event []byte) bool {
	_, data, found := bytes.Cut(event, []byte("data: "))
	keys := json.NewDecoder(bytes.NewReader(data))
	if start, err := keys.Token(); !found || err != nil || start != json.Delim('{') {
		return false
	}
	for keys.More() {
		key, err := keys.Token()
		switch {
		case err != nil, key == "method":
			return false
		case key == "result", key == "error":
			return true
		}
		var value json.RawMessage
		if keys.Decode(&value) != nil {
			return false
		}
	}
	return false
}
