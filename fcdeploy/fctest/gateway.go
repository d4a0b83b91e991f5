package fctest

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// gateway is the data plane of one function: its instances and the sessions
// bound to them.
type gateway struct {
	options   Options
	function  string
	transport *http.Transport

	mu       sync.Mutex
	launch   launch
	running  []*instance // starting ones included
	sessions map[string]*session
	least    int // instances that are kept
	turn     int // for round robin
	closed   bool
	work     sync.WaitGroup // instances that start, run or end
}

func newGateway(options Options, function string) *gateway {
	return &gateway{options: options, function: function, sessions: map[string]*session{},
		transport: &http.Transport{MaxIdleConnsPerHost: 8}}
}

// configure replaces the instances: those that run end, new requests get new
// ones, and the sessions of the old are lost.
func (g *gateway) configure(code []byte, doc document) {
	var w wanted
	_ = doc.decode(&w) // was checked before
	g.mu.Lock()
	old := g.running
	g.running, g.sessions = nil, map[string]*session{}
	g.launch = newLaunch(g.options, code, &w)
	g.mu.Unlock()
	g.stop(old)
	g.keepLeast()
}

func (g *gateway) setMinInstances(n int) {
	g.mu.Lock()
	g.least = n
	g.mu.Unlock()
	g.keepLeast()
}

func (g *gateway) keepLeast() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.closed && len(g.running) < g.least {
		g.startLocked()
	}
}

// acquire picks an instance for a request, starts one where none has room, and
// waits until it listens. The caller releases it.
func (g *gateway) acquire(ctx context.Context, sessionID string) (*instance, *apiError) {
	i, e := g.pick(sessionID)
	if e != nil {
		return nil, e
	}
	select {
	case <-i.ready:
	case <-ctx.Done():
		g.release(i, sessionID)
		return nil, &apiError{status: http.StatusGatewayTimeout, code: "FunctionTimeout", message: ctx.Err().Error()}
	}
	if i.err != nil {
		g.release(i, sessionID)
		return nil, &apiError{status: http.StatusBadGateway, code: "FunctionNotStarted", message: i.err.Error()}
	}
	return i, nil
}

func (g *gateway) pick(sessionID string) (*instance, *apiError) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, notFound("FunctionNotFound", "function '%s' does not exist", g.function)
	}
	i := g.choose(sessionID)
	if i == nil {
		i = g.startLocked()
	}
	if i.inFlight >= g.launch.concurrency {
		return nil, &apiError{status: http.StatusTooManyRequests, code: "ResourceExhausted", message: "the instance of the session is busy"}
	}
	i.inFlight++
	if sessionID == "" {
		i.unbound++
	}
	return i, nil
}

// choose applies the affinity. nil means that a new instance is needed.
func (g *gateway) choose(sessionID string) *instance {
	if g.launch.affinity != "MCP_STREAMABLE" {
		return g.roundRobin()
	}
	if bound := g.lookup(sessionID); bound != nil {
		return bound
	}
	for _, i := range g.running {
		roomy := sessionID != "" || g.boundTo(i)+i.unbound < g.launch.session.PerInstance
		if i.inFlight < g.launch.concurrency && roomy {
			return i
		}
	}
	return nil
}

func (g *gateway) roundRobin() *instance {
	for range g.running {
		g.turn++
		if i := g.running[g.turn%len(g.running)]; i.inFlight < g.launch.concurrency {
			return i
		}
	}
	return nil
}

func (g *gateway) release(i *instance, sessionID string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i.inFlight--
	if sessionID == "" {
		i.unbound--
	}
	i.idleSince = time.Now()
	time.AfterFunc(g.options.InstanceIdle, func() { g.stopIfIdle(i) })
}

func (g *gateway) stopIfIdle(i *instance) {
	g.mu.Lock()
	idle := i.inFlight == 0 && time.Since(i.idleSince) >= g.options.InstanceIdle && len(g.running) > g.least
	g.mu.Unlock()
	if idle {
		g.drop(i)
	}
}

// drop stops an instance of the current generation, once.
func (g *gateway) drop(i *instance) {
	g.mu.Lock()
	held := slices.Contains(g.running, i)
	g.removeLocked(i)
	g.mu.Unlock()
	if held {
		g.stop([]*instance{i})
	}
}

// startLocked is called with the lock held.
func (g *gateway) startLocked() *instance {
	i := newInstance(g.launch, g.function)
	g.running = append(g.running, i)
	g.work.Go(func() {
		i.run(g.options.StartTimeout)
		g.forget(i)
	})
	return i
}

// forget drops an instance that ended, with its sessions.
func (g *gateway) forget(i *instance) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.removeLocked(i)
}

func (g *gateway) removeLocked(i *instance) {
	g.running = slices.DeleteFunc(g.running, func(other *instance) bool { return other == i })
	maps.DeleteFunc(g.sessions, func(_ string, s *session) bool { return s.instance == i })
}

func (g *gateway) stop(instances []*instance) {
	for _, i := range instances {
		i.stop()
	}
}

func (g *gateway) instances() []*instance {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.running)
}

// close ends all instances and waits for them.
func (g *gateway) close() {
	g.mu.Lock()
	g.closed = true
	running := g.running
	g.running = nil
	g.mu.Unlock()
	g.stop(running)
	g.work.Wait()
	g.transport.CloseIdleConnections()
}
