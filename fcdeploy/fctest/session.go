package fctest

import "time"

// session binds an Mcp-Session-Id to the instance that issued it.
type session struct {
	instance *instance
	created  time.Time
	used     time.Time
}

// lookup finds the instance of a live session. The caller holds the lock.
func (g *gateway) lookup(id string) *instance {
	s := g.sessions[id]
	if s == nil {
		return nil
	}
	now := g.options.SessionClock()
	if g.expired(s, now) {
		delete(g.sessions, id)
		return nil
	}
	s.used = now
	return s.instance
}

func (g *gateway) expired(s *session, now time.Time) bool {
	limits := g.launch.session
	idle := time.Duration(limits.Idle) * time.Second
	return now.Sub(s.created) > time.Duration(limits.TTL)*time.Second || (idle > 0 && now.Sub(s.used) > idle)
}

func (g *gateway) boundTo(i *instance) int {
	now, n := g.options.SessionClock(), 0
	for id, s := range g.sessions {
		switch {
		case g.expired(s, now):
			delete(g.sessions, id)
		case s.instance == i:
			n++
		}
	}
	return n
}

// bind is called with the session id of an answer to a request that had none.
func (g *gateway) bind(id string, i *instance) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.options.SessionClock()
	g.sessions[id] = &session{instance: i, created: now, used: now}
}

func (g *gateway) unbind(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, id)
}
