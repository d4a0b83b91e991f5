package tunnel_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/tunnel"
)

// listen accepts one connection and lets serve have it.
func listen(t *testing.T, address string, serve func(net.Conn)) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("cannot listen on %s: %v", address, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		if conn, err := l.Accept(); err == nil {
			serve(conn)
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// connect sends CONNECT and extra bytes in one write.
func connect(t *testing.T, target, extra string) (net.Conn, *bufio.Reader, *http.Response) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(tunnel.Serve))
	t.Cleanup(srv.Close)
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n%s", target, target, extra)
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	return conn, r, res
}

func TestTunnelCarriesBothWays(t *testing.T) {
	t.Parallel()
	port := listen(t, "127.0.0.1:0", func(conn net.Conn) {
		defer conn.Close()
		got, _ := io.ReadAll(conn) // until the client ends its side
		fmt.Fprintf(conn, "got %d bytes", len(got))
	})
	conn, r, res := connect(t, "127.0.0.1:"+port, "sent early,")
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
	fmt.Fprint(conn, strings.Repeat("x", 1<<20))
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(r); err != nil || string(answer) != fmt.Sprintf("got %d bytes", 1<<20+11) {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestTunnelFindsServersOfEitherFamily(t *testing.T) {
	t.Parallel()
	port := listen(t, "[::1]:0", func(conn net.Conn) {
		fmt.Fprint(conn, "six")
		_ = conn.Close()
	})
	_, r, res := connect(t, "localhost:"+port, "")
	if answer, err := io.ReadAll(r); res.StatusCode != http.StatusOK || string(answer) != "six" {
		t.Errorf("%s %q %v", res.Status, answer, err)
	}
}

func TestTunnelRefuses(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, free, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	for target, want := range map[string]int{
		"127.0.0.1:" + free:    http.StatusBadGateway,
		"127.0.0.1:nonsense":   http.StatusBadRequest,
		"192.0.2.1:80":         http.StatusForbidden,
		"example.com:80":       http.StatusForbidden,
		"169.254.169.254:80":   http.StatusForbidden,
		"[::ffff:127.0.0.1]:1": http.StatusForbidden,
	} {
		if _, _, res := connect(t, target, ""); res.StatusCode != want {
			t.Errorf("CONNECT %s: %s, want %d", target, res.Status, want)
		}
	}
}
