package tunnel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

// Host is the end of the tunnel on the host.
type Host struct {
	conn   *http.ClientConn
	ctx    context.Context // ends with the tunnel
	cancel context.CancelFunc
}

// NewHost makes the host's end on the stream, which Close closes. The context
// bounds the making only.
func NewHost(ctx context.Context, stream io.ReadWriteCloser) (*Host, error) {
	stop := context.AfterFunc(ctx, func() { stream.Close() })
	defer stop()
	transport := &http.Transport{
		Protocols: protocols(),
		HTTP2:     settings(),
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			return &streamConn{ReadWriteCloser: stream}, nil
		},
	}
	conn, err := transport.NewClientConn(ctx, "http", "sandbox:80")
	if err != nil {
		stream.Close()
		return nil, fmt.Errorf("open tunnel: %w", err)
	}
	h := &Host{conn: conn}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	conn.SetStateHook(func(conn *http.ClientConn) {
		if conn.Err() != nil {
			h.cancel()
		}
	})
	return h, nil
}

// streamConn makes a connection of a stream.
type streamConn struct {
	io.ReadWriteCloser
	noDeadlines
}

// Close ends the tunnel and all its connections.
func (h *Host) Close() error {
	h.cancel()
	return h.conn.Close()
}

// Wait returns when the tunnel has ended.
func (h *Host) Wait() { <-h.ctx.Done() }

// Dial connects to the listener inside.
func (h *Host) Dial(ctx context.Context) (net.Conn, error) { return h.open(ctx, pathIn) }

// open makes a connection; ctx bounds only the making.
func (h *Host) open(ctx context.Context, path string) (net.Conn, error) {
	life, cancel := context.WithCancel(h.ctx)
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	reader, writer := io.Pipe()
	req, err := http.NewRequestWithContext(life, http.MethodPost, host+path, reader)
	if err != nil {
		cancel()
		return nil, err
	}
	resp, err := h.conn.RoundTrip(req)
	switch {
	case err != nil && ctx.Err() != nil:
		err = ctx.Err()
	case err == nil && resp.StatusCode != http.StatusOK:
		err = fmt.Errorf("tunnel answers %s", resp.Status)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	return &hostConn{Reader: resp.Body, writer: writer, cancel: cancel}, nil
}

// hostConn is one connection: an answer that is read and a request that is
// written at the same time.
type hostConn struct {
	io.Reader
	noDeadlines
	writer *io.PipeWriter
	cancel context.CancelFunc
}

func (c *hostConn) Write(p []byte) (int, error) { return c.writer.Write(p) }

// CloseWrite tells the other side that nothing more comes.
func (c *hostConn) CloseWrite() error { return c.writer.Close() }

func (c *hostConn) Close() error {
	c.writer.Close() //nolint:errcheck // never fails
	c.cancel()
	return nil
}

// Listen accepts the connections that programs inside make to the outside.
func (h *Host) Listen() net.Listener { return &outListener{host: h, done: make(chan struct{})} }

type outListener struct {
	host *Host
	once sync.Once
	done chan struct{}
}

func (l *outListener) Accept() (net.Conn, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-l.done:
			cancel()
		case <-stop:
		}
	}()
	conn, err := l.host.open(ctx, pathOut)
	if err != nil && (ctx.Err() != nil || l.host.ctx.Err() != nil || errors.Is(err, net.ErrClosed)) {
		return nil, net.ErrClosed
	}
	return conn, err
}

func (l *outListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

func (l *outListener) Addr() net.Addr { return address{} }
