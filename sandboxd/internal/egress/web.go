package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"time"
)

// startWeb serves the connections that speak HTTP.
func (p *Proxy) startWeb() {
	p.webIn = newQueue()
	forward := p.forwarder()
	p.web = &http.Server{
		ReadHeaderTimeout: firstByteTimeout,
		IdleTimeout:       5 * time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.tunnel(w, r)
			case r.URL.Scheme == "http" && r.URL.Host != "":
				forward.ServeHTTP(w, r)
			default:
				http.Error(w, "this is a proxy: ask for http://host/path, or CONNECT host:port", http.StatusBadRequest)
			}
		}),
	}
	p.serves.Go(func() { p.web.Serve(p.webIn) }) //nolint:errcheck // ends with Close
}

// tunnel answers CONNECT.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, "CONNECT needs host:port", http.StatusBadRequest)
		return
	}
	out, err := p.dial(r.Context(), host, port)
	if err != nil {
		refuse(w, err)
		return
	}
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		out.Close()
		return
	}
	if _, err := in.Write([]byte("HTTP/1.1 200 Connection established\r\n\r\n")); err != nil {
		in.Close()
		out.Close()
		return
	}
	p.pipe(&bufferedConn{Conn: in, r: buffered.Reader}, out)
}

// forwarder passes on requests for plain http.
func (p *Proxy) forwarder() http.Handler {
	p.idle = &http.Transport{
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return p.dial(ctx, host, port)
		},
		DisableCompression: true,
		IdleConnTimeout:    time.Minute,
	}
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host },
		Transport:     p.idle,
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, err error) { refuse(w, err) },
	}
}

func refuse(w http.ResponseWriter, err error) {
	code := http.StatusBadGateway
	if errors.Is(err, ErrRefused) {
		code = http.StatusForbidden
	}
	http.Error(w, err.Error(), code)
}
