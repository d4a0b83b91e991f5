package egress

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Options replace what a Proxy uses of the machine. Nil fields, and a nil
// *Options, are the machine's own.
type Options struct {
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
}

// Proxy is the way out of one sandbox. On one listener it speaks HTTP (CONNECT
// and absolute URLs) and SOCKS 5, told apart by the first byte.
type Proxy struct {
	opts  Options
	rules atomic.Pointer[rules] // nil: nothing may be reached
	web   *http.Server
	webIn *queue
	idle  *http.Transport // keeps connections for plain http

	ctx    context.Context // ends with the proxy
	cancel context.CancelFunc
	serves sync.WaitGroup
	slots  chan struct{}
}

// maxConnections bounds the connections of a sandbox at a time; more wait.
const maxConnections = 512

// firstByteTimeout is how long a connection may say nothing at all.
const firstByteTimeout = 30 * time.Second

// New makes a proxy with the policy; nil lets nothing through.
func New(policy *Policy, opts *Options) (*Proxy, error) {
	p := &Proxy{slots: make(chan struct{}, maxConnections)}
	if opts != nil {
		p.opts = *opts
	}
	if p.opts.Lookup == nil {
		p.opts.Lookup = lookup
	}
	if p.opts.Dial == nil {
		p.opts.Dial = (&net.Dialer{}).DialContext
	}
	if err := p.SetPolicy(policy); err != nil {
		return nil, err
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.startWeb()
	return p, nil
}

// SetPolicy replaces the policy for connections made from now on.
func (p *Proxy) SetPolicy(policy *Policy) error {
	if p.idle != nil {
		defer p.idle.CloseIdleConnections()
	}
	if policy == nil {
		p.rules.Store(nil)
		return nil
	}
	compiled, err := policy.compile()
	if err != nil {
		return err
	}
	p.rules.Store(compiled)
	return nil
}

// Serve accepts until the listener is closed.
func (p *Proxy) Serve(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case p.slots <- struct{}{}:
		case <-p.ctx.Done():
			conn.Close()
			return nil
		}
		p.serves.Go(func() { p.serve(conn) })
	}
}

// Close ends every connection and returns when they have ended. The listener
// must be closed before.
func (p *Proxy) Close() error {
	p.cancel()
	err := p.web.Close()
	p.idle.CloseIdleConnections()
	p.webIn.Close() //nolint:errcheck // never fails
	p.serves.Wait()
	return err
}

func (p *Proxy) serve(conn net.Conn) {
	conn = &countedConn{Conn: conn, free: sync.OnceFunc(func() { <-p.slots })}
	stop := context.AfterFunc(p.ctx, func() { conn.Close() })
	defer stop()
	conn.SetReadDeadline(time.Now().Add(firstByteTimeout)) //nolint:errcheck // fails only on a closed connection
	buffered := &bufferedConn{Conn: conn, r: bufio.NewReader(conn)}
	first, err := buffered.r.Peek(1)
	if err != nil {
		conn.Close()
		return
	}
	conn.SetReadDeadline(time.Time{}) //nolint:errcheck // as above
	if first[0] == socksVersion {
		p.serveSOCKS(buffered)
		return
	}
	p.webIn.put(buffered)
}

// bufferedConn is a connection of which a part was read ahead.
type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

func (c *bufferedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// CloseWrite tells the other side that nothing more comes.
func (c *bufferedConn) CloseWrite() error { return closeWrite(c.Conn) }

// countedConn holds one of the proxy's slots until it is closed.
type countedConn struct {
	net.Conn
	free func()
}

func (c *countedConn) Close() error {
	defer c.free()
	return c.Conn.Close()
}

// CloseWrite tells the other side that nothing more comes.
func (c *countedConn) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(conn net.Conn) error {
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return conn.Close()
}

// pipe carries bytes both ways until both sides have ended, or the proxy has.
func (p *Proxy) pipe(a, b net.Conn) {
	stop := context.AfterFunc(p.ctx, func() { a.Close(); b.Close() })
	defer stop()
	var back sync.WaitGroup
	back.Go(func() { copyHalf(a, b) })
	copyHalf(b, a)
	back.Wait()
	a.Close()
	b.Close()
}

func copyHalf(to, from net.Conn) {
	io.Copy(to, from) //nolint:errcheck // an end is an end
	closeWrite(to)    //nolint:errcheck // as above
}
