package dataplane

import (
	"context"
	"crypto/subtle"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
)

// The ports behind which the agent itself answers.
const (
	EnvdPort        = 49983
	InterpreterPort = 49999
)

// Config is what a Proxy works with; Get is required.
type Config struct {
	// Get finds a sandbox by id.
	Get func(id string) (*lifecycle.Sandbox, error)
	// Interpreter reports whether the agent of s serves InterpreterPort.
	Interpreter func(s *lifecycle.Sandbox) bool
	// TokenOnEveryPort asks for a secure sandbox's access token on every
	// port, as the gateway of FC does; else only envd asks for it, itself.
	TokenOnEveryPort bool
	Logger           *slog.Logger
}

// Proxy is the handler of requests for which Find found a target.
type Proxy struct {
	cfg       Config
	transport *http.Transport
	reverse   *httputil.ReverseProxy
}

// New makes a Proxy. Close it after use.
func New(cfg *Config) *Proxy {
	p := &Proxy{cfg: *cfg}
	p.transport = &http.Transport{
		DialContext:         p.dial,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     time.Minute,
		ReadBufferSize:      bufferSize,
		WriteBufferSize:     bufferSize,
	}
	p.reverse = &httputil.ReverseProxy{
		Rewrite:       p.rewrite,
		Transport:     p.transport,
		FlushInterval: -1,
		BufferPool:    newBuffers(),
		ErrorHandler:  p.fail,
		ErrorLog:      log.New(quiet{cfg.Logger}, "", 0),
	}
	return p
}

// Close drops connections that are idle.
func (p *Proxy) Close() { p.transport.CloseIdleConnections() }

// Serve answers a request for t.
func (p *Proxy) Serve(w http.ResponseWriter, r *http.Request, t Target) {
	s, err := p.cfg.Get(t.ID)
	if err != nil {
		notFound(t).write(w, r)
		return
	}
	if refusal, refused := p.refuse(r, s, t); refused {
		refusal.write(w, r)
		return
	}
	if t.Port == EnvdPort && controlPath(r.URL.Path) {
		writeControlPath(w, r)
		return
	}
	period, problem := p.wake(r.Context(), s, t)
	if problem != nil {
		problem.write(w, r)
		return
	}
	p.forward(w, r, &hop{Target: t, sandbox: s, period: period})
}

// refuse checks the tokens that the proxy, not the agent, asks for.
func (p *Proxy) refuse(r *http.Request, s *lifecycle.Sandbox, t Target) (answer, bool) {
	if p.cfg.TokenOnEveryPort && !matches(r, headerAccess, s.Spec.AccessToken) {
		return tokenRefused(t, "access token", "x-access-token", r.Header.Get(headerAccess) != ""), true
	}
	if t.Port != EnvdPort && !matches(r, headerTraffic, s.Spec.TrafficToken) {
		return tokenRefused(t, "traffic access token", "e2b-traffic-access-token", r.Header.Get(headerTraffic) != ""), true
	}
	return answer{}, false
}

func matches(r *http.Request, header, token string) bool {
	return token == "" || subtle.ConstantTimeCompare([]byte(r.Header.Get(header)), []byte(token)) == 1
}

// wake returns the running period of s, after resuming it when it is to be
// resumed by traffic.
func (p *Proxy) wake(ctx context.Context, s *lifecycle.Sandbox, t Target) (context.Context, *answer) {
	period, err := s.Period()
	if err == nil {
		return period, nil
	}
	gone := notFound(t)
	switch s.Info().State {
	case lifecycle.Pausing, lifecycle.Starting:
		busy := inTransition(t)
		return nil, &busy
	case lifecycle.Paused:
		if !s.Spec.AutoResume {
			return nil, &gone
		}
	default:
		return nil, &gone
	}
	if _, err := s.Connect(context.WithoutCancel(ctx), s.Spec.Timeout); err != nil {
		return nil, &gone
	}
	if period, err = s.Period(); err != nil {
		return nil, &gone
	}
	return period, nil
}

// hop is one request on its way to a sandbox; it travels in the context.
type hop struct {
	Target
	sandbox *lifecycle.Sandbox
	period  context.Context
}

type hopKey struct{}

func hopOf(r *http.Request) *hop {
	h, _ := r.Context().Value(hopKey{}).(*hop)
	return h
}

// forward hands the request to the agent. It is cut when the running period
// ends, for nobody would answer it any more.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, h *hop) {
	ctx, cancel := context.WithCancel(context.WithValue(r.Context(), hopKey{}, h))
	defer cancel()
	defer context.AfterFunc(h.period, cancel)()
	// HTTP/2 is full duplex as it is, and says that it cannot be asked to be.
	_ = http.NewResponseController(w).EnableFullDuplex()
	p.reverse.ServeHTTP(w, r.WithContext(ctx))
}

func (p *Proxy) agentServes(s *lifecycle.Sandbox, port int) bool {
	return port == EnvdPort || port == InterpreterPort && p.cfg.Interpreter(s)
}

// rewrite addresses the request to "<id>:<port>", which dial understands.
func (p *Proxy) rewrite(pr *httputil.ProxyRequest) {
	h := hopOf(pr.In)
	port := strconv.Itoa(h.Port)
	pr.Out.URL.Scheme = "http"
	pr.Out.URL.Host = net.JoinHostPort(h.ID, port)
	pr.Out.URL.RawQuery = pr.In.URL.RawQuery
	pr.Out.Host = pr.In.Host
	pr.Out.Header.Del(headerAgentPort)
	pr.Out.Header.Del(headerTraffic)
	if p.agentServes(h.sandbox, h.Port) {
		pr.Out.Header.Set(headerAgentPort, port)
		return
	}
	pr.SetXForwarded()
	if mask := h.sandbox.Info().Network.MaskRequestHost; mask != "" {
		pr.Out.Host = strings.ReplaceAll(mask, "${PORT}", port)
	}
}

// fail answers a request that got no answer from the sandbox.
func (p *Proxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	h := hopOf(r)
	switch {
	case h.period.Err() != nil, errors.Is(err, lifecycle.ErrNotFound):
		notFound(h.Target).write(w, r)
	case errors.Is(err, context.Canceled):
		// The caller has gone; nobody reads an answer.
		panic(http.ErrAbortHandler)
	case p.agentServes(h.sandbox, h.Port):
		p.cfg.Logger.Warn("agent does not answer", "sandbox", h.ID, "port", h.Port, "error", err)
		notFound(h.Target).write(w, r)
	default:
		portClosed(h.Target).write(w, r)
	}
}
