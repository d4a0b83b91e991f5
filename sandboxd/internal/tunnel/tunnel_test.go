package tunnel_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/tunnel"
)

// pair joins a host to an inside that echoes what it is sent, and that takes
// connections to the outside from the returned channel.
func pair(t *testing.T) (*tunnel.Host, chan net.Conn) {
	t.Helper()
	a, b := net.Pipe()
	out := make(chan net.Conn)
	served := make(chan error, 1)
	go func() {
		served <- tunnel.ServeInside(b, echo, func() (net.Conn, error) {
			conn, ok := <-out
			if !ok {
				return nil, net.ErrClosed
			}
			return conn, nil
		})
	}()
	h, err := tunnel.NewHost(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Close()
		a.Close()
		close(out)
		select {
		case <-served:
		case <-time.After(10 * time.Second):
			t.Error("the inside goes on after the stream's end")
		}
	})
	return h, out
}

// echo is a connection to something that repeats all it is told.
func echo() (net.Conn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		defer l.Close()
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.Copy(conn, conn)
	}()
	return net.Dial("tcp", l.Addr().String())
}

func TestConnectionsCarryBytesBothWays(t *testing.T) {
	t.Parallel()
	h, _ := pair(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			conn, err := h.Dial(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			text := bytes.Repeat([]byte(fmt.Sprint(i)), 300_000)
			go func() {
				conn.Write(text)
				conn.(interface{ CloseWrite() error }).CloseWrite()
			}()
			got, err := io.ReadAll(conn)
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("connection %d: %d bytes, want %d, %v", i, len(got), len(text), err)
			}
		})
	}
	all.Wait()
}

func TestOutgoingConnections(t *testing.T) {
	t.Parallel()
	h, out := pair(t)
	l := h.Listen()
	accepted := make(chan net.Conn, 1)
	go func() {
		if conn, err := l.Accept(); err == nil {
			accepted <- conn
		}
	}()
	ours, theirs := net.Pipe()
	out <- theirs
	conn := <-accepted
	go ours.Write([]byte("ping"))
	got := make([]byte, 4)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "ping" {
		t.Fatalf("read %q, %v", got, err)
	}
	conn.Close()
	if _, err := ours.Read(got); err == nil {
		t.Error("the inner end is open after the outer one was closed")
	}
}

func TestAcceptEndsWithItsListener(t *testing.T) {
	t.Parallel()
	h, out := pair(t)
	l := h.Listen()
	done := make(chan error, 1)
	go func() { _, err := l.Accept(); done <- err }()
	l.Close()
	select {
	case err := <-done:
		if err != net.ErrClosed {
			t.Errorf("Accept after Close: %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Accept goes on")
	}
	select { // the request may still wait inside for a connection to take
	case out <- nopConn{}:
	default:
	}
}

type nopConn struct{ net.Conn }

func (nopConn) Close() error { return nil }

func TestDialGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	a, b := net.Pipe() // nobody serves b
	defer b.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	h, err := tunnel.NewHost(ctx, a)
	if err == nil {
		defer h.Close()
		_, err = h.Dial(ctx)
	}
	if err == nil {
		t.Error("connected to nothing")
	}
}
