package dataplane_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/dataplane"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/memnet"
)

// machine is an agent that answers its own ports with envd, and connects to
// others on this machine.
type machine struct {
	listener *memnet.Listener
	server   *http.Server
	once     sync.Once
	ended    chan struct{}
}

func newMachine(envd http.Handler) *machine {
	m := &machine{listener: memnet.Listen(), ended: make(chan struct{})}
	m.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			connect(w, r.Host)
			return
		}
		envd.ServeHTTP(w, r)
	})}
	go m.server.Serve(m.listener)
	return m
}

// connect is what the agent does for a port that is not its own.
func connect(w http.ResponseWriter, addr string) {
	out, err := net.Dial("tcp", addr)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer out.Close()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		io.Copy(out, buffered)
		out.Close()
	}()
	io.Copy(in, out)
}

func (m *machine) Dial(ctx context.Context) (net.Conn, error) {
	return m.listener.DialContext(ctx, "", "")
}
func (m *machine) Pause(context.Context) error  { return nil }
func (m *machine) Resume(context.Context) error { return nil }
func (m *machine) Wait() error                  { <-m.ended; return nil }

func (m *machine) Kill(context.Context) error {
	m.once.Do(func() {
		m.server.Close()
		close(m.ended)
	})
	return nil
}

// world is a proxy on a real port, with one sandbox behind it.
type world struct {
	*lifecycle.Sandbox
	url    string
	client *http.Client
}

func newWorld(t *testing.T, cfg dataplane.Config, spec lifecycle.Spec, envd http.HandlerFunc) *world {
	t.Helper()
	manager := lifecycle.New(&lifecycle.Config{
		NewID: func() string { return "iabc" },
		Start: func(context.Context, *lifecycle.Sandbox) (lifecycle.Machine, error) { return newMachine(envd), nil },
	})
	cfg.Get, cfg.Logger = manager.Get, slog.New(slog.DiscardHandler)
	cfg.Interpreter = func(*lifecycle.Sandbox) bool { return true }
	proxy := dataplane.New(&cfg)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target, ok, err := dataplane.Find(r)
		if err != nil || !ok {
			t.Errorf("found %t, %v", ok, err)
			return
		}
		proxy.Serve(w, r, target)
	}))
	spec.Timeout = time.Minute
	sandbox, err := manager.Create(t.Context(), &spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := manager.Close(context.Background()); err != nil {
			t.Error(err)
		}
		server.Close()
		proxy.Close()
	})
	return &world{Sandbox: sandbox, url: server.URL, client: server.Client()}
}

// request is one for a port of the sandbox.
func (w *world) request(t *testing.T, method, path string, port int, header http.Header) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, w.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("E2b-Sandbox-Id", "iabc")
	req.Header.Set("E2b-Sandbox-Port", strconv.Itoa(port))
	return req
}

func (w *world) get(t *testing.T, path string, port int, header http.Header) (*http.Response, string) {
	t.Helper()
	res, err := w.client.Do(w.request(t, "GET", path, port, header))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}
