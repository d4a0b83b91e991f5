package localtls

import (
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// firstByteTimeout is how long a client may stay silent after connecting; the
// server bounds what comes after that.
const firstByteTimeout = 10 * time.Second

// Listener accepts clients that speak TLS and clients that do not: the first
// byte of a connection tells them apart.
type Listener struct {
	net.Listener
	config *tls.Config
	conns  chan net.Conn
	closed chan struct{}
	err    error // why accepting ended; read after closed
	work   sync.WaitGroup

	mu     sync.Mutex
	silent map[net.Conn]bool // accepted, with nothing sent yet; nil when closed
}

// Listen wraps a listener; config is for the clients that speak TLS.
func Listen(l net.Listener, config *tls.Config) *Listener {
	both := &Listener{
		Listener: l, config: config, conns: make(chan net.Conn), closed: make(chan struct{}),
		silent: make(map[net.Conn]bool),
	}
	both.work.Go(both.accept)
	return both
}

// Accept returns the next client that has sent something: a *tls.Conn if
// that was the beginning of a handshake.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, l.err
	}
}

// Close closes the listener below and the clients that Accept has not
// returned.
func (l *Listener) Close() error {
	err := l.Listener.Close()
	l.work.Wait()
	return err
}

func (l *Listener) accept() {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			l.end(err)
			return
		}
		l.mu.Lock()
		l.silent[c] = true
		l.mu.Unlock()
		l.work.Go(func() { l.sort(c) })
	}
}

func (l *Listener) end(err error) {
	l.err = err
	close(l.closed)
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.silent {
		_ = c.Close()
	}
}

func (l *Listener) heard(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, c)
}

// recordHandshake is the first byte of a TLS connection. No request begins
// with it.
const recordHandshake = 0x16

// sort waits for the first byte and hands the connection to Accept.
func (l *Listener) sort(c net.Conn) {
	first := make([]byte, 1)
	_ = c.SetReadDeadline(time.Now().Add(firstByteTimeout))
	n, err := c.Read(first)
	l.heard(c)
	if err != nil || n == 0 {
		_ = c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	conn := net.Conn(&begun{Conn: c, first: first})
	if first[0] == recordHandshake {
		conn = tls.Server(conn, l.config)
	}
	select {
	case l.conns <- conn:
	case <-l.closed:
		_ = c.Close()
	}
}

// begun is a connection whose first byte was read already. Only one goroutine
// reads a connection at a time.
type begun struct {
	net.Conn
	first []byte
}

func (b *begun) Read(p []byte) (int, error) {
	if len(b.first) == 0 || len(p) == 0 {
		return b.Conn.Read(p)
	}
	n := copy(p, b.first)
	b.first = b.first[n:]
	return n, nil
}
