// Package tunnel joins a CONNECT request with a port inside the sandbox.
package tunnel

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// dialTimeout is generous: the port is on this machine or nowhere.
const dialTimeout = 5 * time.Second

// loopback are the hosts that may be named, with the addresses to try: a
// server may listen on one family only.
var loopback = map[string][]string{
	"127.0.0.1": {"127.0.0.1", "::1"},
	"localhost": {"127.0.0.1", "::1"},
	"::1":       {"::1"},
}

// Serve answers `CONNECT 127.0.0.1:<port>` with 200 and then carries bytes
// both ways. A closed port is 502, another host than loopback 403. It returns
// when both directions have ended.
func Serve(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, "CONNECT needs host:port", http.StatusBadRequest)
		return
	}
	hosts := loopback[host]
	if hosts == nil {
		http.Error(w, "only ports of the sandbox itself can be reached", http.StatusForbidden)
		return
	}
	target, err := dial(r, hosts, port)
	if err != nil {
		http.Error(w, "port is not open", http.StatusBadGateway)
		return
	}
	defer target.Close()
	join(w, target)
}

func dial(r *http.Request, hosts []string, port string) (conn net.Conn, err error) {
	d := net.Dialer{Timeout: dialTimeout}
	for _, host := range hosts {
		if conn, err = d.DialContext(r.Context(), "tcp", net.JoinHostPort(host, port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

func join(w http.ResponseWriter, target net.Conn) {
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "CONNECT needs HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	defer client.Close()
	_ = client.SetDeadline(time.Time{}) // what the server had set for requests
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { pass(target, early(buffered, client)) })
	both.Go(func() { pass(client, target) })
	both.Wait()
}

// early is the client's bytes, those first that the server had read ahead.
func early(buffered *bufio.ReadWriter, client net.Conn) io.Reader {
	if n := buffered.Reader.Buffered(); n > 0 {
		ahead, _ := buffered.Reader.Peek(n) // buffered, so it cannot fail
		return io.MultiReader(bytes.NewReader(ahead), client)
	}
	return client
}

// pass copies until the source ends and then ends the destination's input, so
// that a half-closed connection keeps working in the other direction.
func pass(dst net.Conn, src io.Reader) {
	_, err := io.Copy(dst, src)
	half, ok := dst.(interface{ CloseWrite() error })
	if err != nil || !ok {
		_ = dst.Close()
		return
	}
	_ = half.CloseWrite()
}
