package sandboxclient_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// memListener accepts connections made of memory: no port, no firewall.
type memListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *memListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *memListener) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }

func (l *memListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	server, client := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: errors.New("connection refused")}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serveMemory serves handler until the test ends; the client reaches it under
// every host name.
func serveMemory(tb testing.TB, handler http.Handler) *http.Client {
	tb.Helper()
	client, closeServer := memoryServer(handler)
	tb.Cleanup(closeServer)
	return client
}

func memoryServer(handler http.Handler) (client *http.Client, closeServer func()) {
	l := &memListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler} //nolint:gosec // in memory
	go func() { _ = server.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial, DialTLSContext: l.dial, MaxIdleConnsPerHost: 16}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		_ = server.Close()
	}
}
