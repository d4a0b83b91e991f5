package filesystem

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"

	"connectrpc.com/connect"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/envd/filesystem"
)

// backlog is how many events wait for a client that polls. What comes after
// is lost, and the next poll says so.
const backlog = 10_000

// watchers are the watches of clients that poll.
type watchers struct {
	mu     sync.Mutex
	byID   map[string]*polled
	closed bool
}

// polled collects the events of a watch between two polls.
type polled struct {
	watch *watch
	done  chan struct{}

	mu     sync.Mutex
	events []*filesystem.FilesystemEvent
	lost   bool
	failed error
}

func (p *polled) collect() {
	defer close(p.done)
	for ev := range p.watch.events {
		p.put(ev)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = p.watch.failure()
}

func (p *polled) put(ev *filesystem.FilesystemEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.events) >= backlog {
		p.lost = true
		return
	}
	p.events = append(p.events, ev)
}

// take returns what has come since the last call.
func (p *polled) take() ([]*filesystem.FilesystemEvent, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	events := p.events
	switch {
	case len(events) > 0 && !p.lost:
		p.events = nil
		return events, nil
	case p.lost:
		p.events, p.lost = nil, false
		return nil, failed(errOverflow)
	case p.failed != nil:
		return nil, p.failed
	}
	return nil, nil
}

// end stops the watch and waits for its goroutines.
func (p *polled) end() {
	p.watch.close()
	<-p.done
}

// add keeps a watch under a new id. It is refused when the service is closed.
func (ws *watchers) add(w *watch) (id string, ok bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return "", false
	}
	if ws.byID == nil {
		ws.byID = map[string]*polled{}
	}
	// 20 characters after the w, as the contract has them.
	id = "w" + strings.ToLower(rand.Text())[:20]
	p := &polled{watch: w, done: make(chan struct{})}
	ws.byID[id] = p
	go p.collect()
	return id, true
}

func (ws *watchers) find(id string, remove bool) (*polled, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	p := ws.byID[id]
	if p == nil {
		return nil, connect.NewError(connect.CodeNotFound, fmt.Errorf("watcher with id %s not found", id))
	}
	if remove {
		delete(ws.byID, id)
	}
	return p, nil
}

func (ws *watchers) close() {
	ws.mu.Lock()
	ws.closed = true
	left := ws.byID
	ws.byID = nil
	ws.mu.Unlock()
	for _, p := range left {
		p.end()
	}
}

// CreateWatcher begins to collect the events of a directory.
func (s *Service) CreateWatcher(ctx context.Context, req *filesystem.CreateWatcherRequest) (*filesystem.CreateWatcherResponse, error) {
	w, err := s.observe(ctx, req.GetPath(), req.GetRecursive(), req.GetIncludeEntry())
	if err != nil {
		return nil, err
	}
	id, ok := s.watchers.add(w)
	if !ok {
		w.close()
		return nil, connect.NewError(connect.CodeUnavailable, fmt.Errorf("the sandbox is shutting down"))
	}
	return &filesystem.CreateWatcherResponse{WatcherId: id}, nil
}

// GetWatcherEvents hands out what has come since the last call.
func (s *Service) GetWatcherEvents(_ context.Context, req *filesystem.GetWatcherEventsRequest) (*filesystem.GetWatcherEventsResponse, error) {
	p, err := s.watchers.find(req.GetWatcherId(), false)
	if err != nil {
		return nil, err
	}
	events, err := p.take()
	if err != nil {
		return nil, err
	}
	return &filesystem.GetWatcherEventsResponse{Events: events}, nil
}

// RemoveWatcher ends a watch.
func (s *Service) RemoveWatcher(_ context.Context, req *filesystem.RemoveWatcherRequest) (*filesystem.RemoveWatcherResponse, error) {
	p, err := s.watchers.find(req.GetWatcherId(), true)
	if err != nil {
		return nil, err
	}
	p.end()
	return &filesystem.RemoveWatcherResponse{}, nil
}
