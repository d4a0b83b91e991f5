package fctest

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	sessionHeader = "Mcp-Session-Id"
	maxCallBody   = 32 << 20
)

// door is the public address of a trigger.
type door struct {
	url     string
	host    string // what the function sees as Host
	gateway *gateway
	server  *http.Server
	served  chan error

	mu     sync.Mutex
	config httpConfig
}

func openDoor(g *gateway, config httpConfig) (*door, *apiError) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, &apiError{status: http.StatusInternalServerError, code: "InternalServerError", message: err.Error()}
	}
	d := &door{
		url: "http://" + listener.Addr().String(), gateway: g, config: config, served: make(chan error, 1),
		host: strings.ToLower(strings.ReplaceAll(g.function, "_", "-")) + "-" + newID()[:10] + "." + g.options.Region + ".fcapp.run",
	}
	d.server = &http.Server{Handler: d, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 8 << 10}
	go func() { d.served <- d.server.Serve(listener) }()
	return d, nil
}

func (d *door) configure(config httpConfig) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.config = config
}

func (d *door) close() {
	_ = d.server.Close() // cuts open streams, as FC does
	<-d.served
}

// ServeHTTP checks what FC checks before a request reaches an instance, and
// proxies it.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if e := d.refuse(r); e != nil {
		e.write(w)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), d.gateway.timeout())
	defer cancel()
	id := r.Header.Get(sessionHeader)
	instance, e := d.gateway.acquire(ctx, id)
	if e != nil {
		e.write(w)
		return
	}
	defer d.gateway.release(instance, id)
	d.proxy(instance).ServeHTTP(w, r.WithContext(ctx))
}

func (d *door) refuse(r *http.Request) *apiError {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.config.DisableURLInternet:
		return denied("AccessDenied", "the internet URL of the trigger is disabled")
	case d.config.AuthType != "anonymous":
		return denied("MissingRequiredHeader", "required HTTP header Authorization was not specified")
	case !slices.Contains(d.config.Methods, r.Method):
		return &apiError{status: http.StatusMethodNotAllowed, code: "MethodNotAllowed", message: r.Method + " is not a method of the trigger"}
	case r.ContentLength > maxCallBody:
		return &apiError{status: http.StatusRequestEntityTooLarge, code: "PayloadTooLarge", message: "the request is larger than 32 MB"}
	case runtime.GOOS != "linux" || runtime.GOARCH != "amd64":
		return &apiError{status: http.StatusNotImplemented, code: "Unsupported", message: "the emulator runs functions on linux/amd64 only"}
	}
	return nil
}

func (d *door) proxy(i *instance) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Transport:     d.gateway.transport,
		FlushInterval: -1,
		Rewrite:       func(p *httputil.ProxyRequest) { d.rewrite(p, i) },
		ModifyResponse: func(r *http.Response) error {
			d.bind(r, i)
			finishHeaders(r.Header)
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			e := &apiError{status: http.StatusBadGateway, code: "BadResponse", message: err.Error()}
			if errors.Is(r.Context().Err(), context.DeadlineExceeded) {
				e = &apiError{status: http.StatusGatewayTimeout, code: "FunctionTimeout", message: "the function timed out"}
			}
			e.write(w)
		},
	}
}

func (d *door) rewrite(p *httputil.ProxyRequest, i *instance) {
	p.SetURL(&url.URL{Scheme: "http", Host: i.address()})
	p.Out.Host = d.host
	for name := range p.Out.Header {
		if strings.HasPrefix(name, "X-Fc-") {
			p.Out.Header.Del(name) // only the platform sets these
		}
	}
	p.Out.Header.Set("X-Fc-Request-Id", newID())
	p.Out.Header.Set("X-Fc-Function-Name", d.gateway.function)
	p.Out.Header.Set("X-Forwarded-Proto", "https")
	p.SetXForwarded()
}

// bind watches sessions come and go in the traffic.
func (d *door) bind(r *http.Response, i *instance) {
	asked, got := r.Request.Header.Get(sessionHeader), r.Header.Get(sessionHeader)
	switch {
	case r.Request.Method == http.MethodDelete && asked != "" && r.StatusCode < http.StatusMultipleChoices:
		d.gateway.unbind(asked)
	case asked == "" && got != "":
		d.gateway.bind(got, i)
	}
}

// finishHeaders makes the answer of a function look as the default domain does.
func finishHeaders(h http.Header) {
	for name := range h {
		if strings.HasPrefix(name, "X-Fc-") {
			h.Del(name)
		}
	}
	h.Set("X-Fc-Request-Id", newID())
	h.Set("Content-Disposition", "attachment")
}

func newID() string { return strings.ToLower(rand.Text()) }
