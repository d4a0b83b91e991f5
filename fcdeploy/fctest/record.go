package fctest

import (
	"net/http"
	"slices"
	"sync"
)

// Request is one call that the emulator received, valid or not.
type Request struct {
	Action string
	Method string
	Path   string
	Body   []byte
}

type requestLog struct {
	mu       sync.Mutex
	requests []Request
}

func (l *requestLog) add(action string, r *http.Request, body []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, Request{Action: action, Method: r.Method, Path: r.URL.Path, Body: body})
}

// Requests returns the calls so far, oldest first.
func (s *Server) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return slices.Clone(s.log.requests)
}

// Mutations returns the actions of the calls that could change something.
func (s *Server) Mutations() []string {
	var actions []string
	for _, r := range s.Requests() {
		if r.Method != http.MethodGet {
			actions = append(actions, r.Action)
		}
	}
	return actions
}

// ResetRequests forgets the calls so far.
func (s *Server) ResetRequests() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.requests = nil
}
