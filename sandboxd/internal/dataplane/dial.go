package dataplane

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// errPortClosed says that the agent lives and nothing listens on the port.
var errPortClosed = errors.New("port is not open")

// dial is the DialContext of the transport. The address is "<id>:<port>", as
// rewrite puts it into the URL.
func (p *Proxy) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	id, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("dial sandbox: %w", err)
	}
	s, err := p.cfg.Get(id)
	if err != nil {
		return nil, err
	}
	conn, err := s.Dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("dial agent of %s: %w", id, err)
	}
	if n, _ := strconv.Atoi(port); p.agentServes(s, n) {
		return conn, nil
	}
	return tunnel(ctx, conn, port)
}

// tunnel asks the agent to connect us with a port inside the sandbox. On
// failure conn is closed.
func tunnel(ctx context.Context, conn net.Conn, port string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	tunnelled, err := handshake(conn, port)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return tunnelled, nil
}

func handshake(conn net.Conn, port string) (net.Conn, error) {
	target := net.JoinHostPort("127.0.0.1", port)
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target); err != nil {
		return nil, fmt.Errorf("ask agent for port %s: %w", port, err)
	}
	r := bufio.NewReader(conn)
	res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return nil, fmt.Errorf("ask agent for port %s: %w", port, err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, errPortClosed
	}
	if r.Buffered() == 0 {
		return conn, nil
	}
	return &readAhead{Conn: conn, r: r}, nil
}

// readAhead is a connection of which the first bytes were read already.
type readAhead struct {
	net.Conn
	r *bufio.Reader
}

func (c *readAhead) Read(b []byte) (int, error) { return c.r.Read(b) }
