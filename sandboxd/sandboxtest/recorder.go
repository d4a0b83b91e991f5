package sandboxtest

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// maxRecordedBody is how much of a request's body the log keeps.
const maxRecordedBody = 64 << 10

// Request is one request that the server got, whatever became of it.
type Request struct {
	At     time.Time
	Method string
	Host   string
	Path   string // with the query
	Header http.Header
	// Body is what the server has read of it so far, at most 64 KiB.
	Body []byte
	// Status is that of the answer, 0 while there is none, and for a
	// connection that was cut before it.
	Status int
}

// recorder is the log of requests.
type recorder struct {
	mu       sync.Mutex
	requests []*Request
}

// Requests is every request so far, in the order of arrival.
func (s *Server) Requests() []Request { return s.recorder.list() }

// ForgetRequests empties the log.
func (s *Server) ForgetRequests() {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.recorder.requests = nil
}

func (rec *recorder) list() []Request {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	list := make([]Request, 0, len(rec.requests))
	for _, r := range rec.requests {
		c := *r
		c.Body = slices.Clone(r.Body)
		list = append(list, c)
	}
	return list
}

func (rec *recorder) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entry := &Request{
			At: time.Now(), Method: r.Method, Host: r.Host, Path: r.URL.RequestURI(), Header: r.Header.Clone(),
		}
		rec.mu.Lock()
		rec.requests = append(rec.requests, entry)
		rec.mu.Unlock()
		r.Body = &recordedBody{ReadCloser: r.Body, rec: rec, entry: entry}
		next.ServeHTTP(&recordedWriter{ResponseWriter: w, rec: rec, entry: entry}, r)
	})
}

// recordedBody notes what is read through it.
type recordedBody struct {
	io.ReadCloser
	rec   *recorder
	entry *Request
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.rec.mu.Lock()
	defer b.rec.mu.Unlock()
	room := maxRecordedBody - len(b.entry.Body)
	b.entry.Body = append(b.entry.Body, bytes.Clone(p[:min(n, room)])...)
	return n, err
}

// recordedWriter notes the status that is written through it.
type recordedWriter struct {
	http.ResponseWriter
	rec   *recorder
	entry *Request
}

// Unwrap lets http.ResponseController reach the writer below.
func (w *recordedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recordedWriter) WriteHeader(status int) {
	w.note(status)
	w.ResponseWriter.WriteHeader(status)
}

func (w *recordedWriter) Write(p []byte) (int, error) {
	w.note(http.StatusOK)
	return w.ResponseWriter.Write(p)
}

func (w *recordedWriter) note(status int) {
	w.rec.mu.Lock()
	defer w.rec.mu.Unlock()
	if w.entry.Status == 0 {
		w.entry.Status = status
	}
}
