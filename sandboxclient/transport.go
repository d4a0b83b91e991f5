package sandboxclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// errRedirect refuses a redirect that would carry a key to another host: Go
// forwards custom headers such as X-API-Key across hosts.
var errRedirect = errors.New("redirect to another host refused")

// newHTTPClient gives a copy of base whose redirects stay on their host, and
// whose requests have the headers of their context.
func newHTTPClient(base *http.Client, header func(context.Context) http.Header) *http.Client {
	if base == nil {
		base = &http.Client{Transport: newTransport()}
	}
	c := *base
	c.Timeout = 0
	if header != nil {
		c.Transport = &headerTransport{next: base.Transport, header: header}
	}
	next := base.CheckRedirect
	c.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if err := checkRedirect(req, via); err != nil {
			return err
		}
		if next != nil {
			return next(req, via)
		}
		return nil
	}
	return &c
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return fmt.Errorf("%w: %s to %s", errRedirect, first.Host, req.URL.Host)
	}
	if len(via) >= 10 {
		return fmt.Errorf("redirect loop on %s", first.Host)
	}
	return nil
}

// newTransport speaks HTTP/1.1 only: leaving a stream closes its connection,
// which every proxy passes on, and long streams cannot run into a limit of
// streams per connection.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.ForceAttemptHTTP2 = false
	t.MaxIdleConns = 0
	t.MaxIdleConnsPerHost = 64
	t.ReadBufferSize = 64 << 10
	t.WriteBufferSize = 64 << 10
	t.DialContext = dialLocalhost(&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second})
	return t
}

// dialLocalhost sends every name below localhost to localhost itself, which
// not every resolver does (RFC 6761 wishes it).
func dialLocalhost(d *net.Dialer) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if host, port, err := net.SplitHostPort(addr); err == nil && strings.HasSuffix(host, ".localhost") {
			addr = net.JoinHostPort("localhost", port)
		}
		return d.DialContext(ctx, network, addr)
	}
}
