package mcpserver

import (
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what callers of a Handler may use. A zero field is the default.
type Limits struct {
	Sessions        int   // open at once; 1,000
	CallsPerSession int   // tool calls at once; 16
	CallsPerToken   int   // tool calls at once of all sessions of a principal; 64
	Rate            int   // tool calls a second of a principal; 20
	Burst           int   // tool calls above the rate; 40
	Body            int64 // of a request, in bytes; 16 MiB
}

func (l *Limits) setDefaults() {
	for field, value := range map[*int]int{&l.Sessions: 1000, &l.CallsPerSession: 16, &l.CallsPerToken: 64, &l.Rate: 20, &l.Burst: 40} {
		if *field <= 0 {
			*field = value
		}
	}
	if l.Body <= 0 {
		l.Body = 16 << 20
	}
}

// retryAfterFull is how long a client waits for room for a session, in seconds.
const retryAfterFull = "10"

// gate counts the calls of principals and sessions. Its maps hold only those
// that have calls, or called lately.
type gate struct {
	limits *Limits

	mu         sync.Mutex
	principals map[string]*caller
	sessions   map[string]int // calls at once
}

type caller struct {
	rate  *rate.Limiter
	calls int
}

func newGate(limits *Limits) *gate {
	return &gate{limits: limits, principals: map[string]*caller{}, sessions: map[string]int{}}
}

// admit lets a call in. Where it does not, wait is the number of seconds after
// which the caller may try again; release is then nil.
func (g *gate) admit(principal, session string) (release func(), wait string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.caller(principal)
	if g.sessions[session] >= g.limits.CallsPerSession || c.calls >= g.limits.CallsPerToken {
		return nil, "1"
	}
	reservation := c.rate.Reserve()
	if delay := reservation.Delay(); delay > 0 {
		reservation.Cancel()
		return nil, strconv.Itoa(int(delay/time.Second) + 1)
	}
	c.calls++
	g.sessions[session]++
	return sync.OnceFunc(func() { g.release(c, session) }), ""
}

func (g *gate) caller(principal string) *caller {
	c, ok := g.principals[principal]
	if !ok {
		c = &caller{rate: rate.NewLimiter(rate.Limit(g.limits.Rate), g.limits.Burst)}
		g.principals[principal] = c
	}
	return c
}

func (g *gate) release(c *caller, session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c.calls--
	if g.sessions[session]--; g.sessions[session] == 0 {
		delete(g.sessions, session)
	}
}
