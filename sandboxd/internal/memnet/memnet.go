// Package memnet is a network inside the process: a listener whose connections
// are dialled by a method instead of an address, so that an HTTP server can be
// used without opening a port that others on the machine could reach.
package memnet

import (
	"context"
	"net"
	"sync"
)

// Listener is a net.Listener with the Dial that belongs to it.
type Listener struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

// Listen makes a Listener.
func Listen() *Listener {
	return &Listener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// DialContext connects to the listener; the signature is the one that
// http.Transport wants, and network and address are ignored.
func (l *Listener) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "memory", Addr: addr{}, Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept returns the next dialled connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, &net.OpError{Op: "accept", Net: "memory", Addr: addr{}, Err: net.ErrClosed}
	}
}

// Close refuses further dials; connections live on.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is a placeholder.
func (l *Listener) Addr() net.Addr { return addr{} }

type addr struct{}

func (addr) Network() string { return "memory" }
func (addr) String() string  { return "memory" }
