package sandboxtest

import (
	"sync"
	"time"
)

// clock is the machine's clock, which can be put forward.
type clock struct {
	mu     sync.Mutex
	ahead  time.Duration
	timers map[*timer]bool
}

// timer is one call that is due at a time of the clock.
type timer struct {
	due  time.Time
	call func()
	real *time.Timer
}

func newClock() *clock { return &clock{timers: make(map[*timer]bool)} }

// Now is the time on this clock.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *clock) now() time.Time { return time.Now().Add(c.ahead) }

// AfterFunc calls f once d has passed on this clock.
func (c *clock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &timer{due: c.now().Add(d), call: f}
	t.real = time.AfterFunc(d, func() {
		if c.take(t) {
			f()
		}
	})
	c.timers[t] = true
	return func() bool { return c.take(t) }
}

// take removes a timer, and reports whether nobody did before.
func (c *clock) take(t *timer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.timers[t]
	delete(c.timers, t)
	t.real.Stop()
	return waiting
}

// advance puts the clock forward and makes the calls that are due by it.
func (c *clock) advance(d time.Duration) {
	for _, t := range c.forward(d) {
		if c.take(t) {
			go t.call()
		}
	}
}

// forward moves the clock, and sets the timers that are not yet due anew.
func (c *clock) forward(d time.Duration) (due []*timer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	now := c.now()
	for t := range c.timers {
		if t.due.After(now) {
			t.real.Reset(t.due.Sub(now))
		} else {
			due = append(due, t)
		}
	}
	return due
}
