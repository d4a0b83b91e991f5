package fc2

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const dialTimeout = 30 * time.Second

// connections are those of one driver, so that a call can be ended from outside.
type connections struct {
	mu   sync.Mutex
	open map[net.Conn]bool
}

func (c *connections) transport() *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return c.track(conn), nil
		},
		IdleConnTimeout: 50 * time.Second, // below FC's 90 s
	}
}

func (c *connections) track(conn net.Conn) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[net.Conn]bool{}
	}
	tracked := &trackedConn{Conn: conn, owner: c}
	c.open[tracked] = true
	return tracked
}

// close ends all connections and with them the calls that use them.
func (c *connections) close() {
	c.mu.Lock()
	open := c.open
	c.open = nil
	c.mu.Unlock()
	for conn := range open {
		_ = conn.Close() // nobody reads from it any more
	}
}

type trackedConn struct {
	net.Conn
	owner *connections
}

// Close forgets the connection.
func (t *trackedConn) Close() error {
	t.owner.mu.Lock()
	delete(t.owner.open, t)
	t.owner.mu.Unlock()
	return t.Conn.Close()
}
