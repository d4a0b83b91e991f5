package sandboxtest

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

// Options say how a test server works; nil is the same as the zero value.
type Options struct {
	// Isolation is none by default; see sandboxd.Options.
	Isolation string
	// Profile is e2b by default, or fc.
	Profile string
	// MaxSandboxes alive at once; 0 = 100.
	MaxSandboxes int
	// MaxLife of a sandbox; 0 = 24 hours.
	MaxLife time.Duration
	// Internet of sandboxes whose creator does not say; nil = true.
	Internet *bool
	// Workdir is where commands start; "" = the user's home.
	Workdir string
	// APIKey that is let in; "" = a random one.
	APIKey string
	// Logger gets what the server does; nil = nowhere.
	Logger *slog.Logger
}

// Server is a backend on 127.0.0.1.
type Server struct {
	// URL is the base of the control plane and, with the routing headers, of
	// every sandbox: http://127.0.0.1:<port>.
	URL string
	// APIKey is what the control plane lets in.
	APIKey string
	// Backend is the server itself.
	Backend *sandboxd.Server

	clock    *clock
	faults   *faults
	recorder recorder
	listener net.Listener
	http     *http.Server
	dir      string
	serving  sync.WaitGroup
}

// NewServer starts a backend; nil options are the defaults. Close it after
// use.
func NewServer(opts *Options) (*Server, error) {
	if opts == nil {
		opts = &Options{}
	}
	dir, err := os.MkdirTemp("", "sandboxtest-")
	if err != nil {
		return nil, fmt.Errorf("sandboxtest: %w", err)
	}
	s := &Server{dir: dir, clock: newClock(), faults: &faults{}}
	if err := s.start(opts); err != nil {
		return nil, errors.Join(fmt.Errorf("sandboxtest: %w", err), os.RemoveAll(dir))
	}
	return s, nil
}

func (s *Server) start(opts *Options) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	backend, err := sandboxd.New(s.backendOptions(opts, l.Addr()))
	if err != nil {
		_ = l.Close()
		return err
	}
	s.Backend, s.APIKey, s.listener = backend, backend.APIKey(), l
	s.URL = "http://" + l.Addr().String()
	s.serve()
	return nil
}

func (s *Server) backendOptions(opts *Options, addr net.Addr) *sandboxd.Options {
	o := &sandboxd.Options{
		Isolation: cmp.Or(opts.Isolation, "none"), Profile: opts.Profile, StateDir: s.dir, Workdir: opts.Workdir,
		MaxSandboxes: opts.MaxSandboxes, MaxLife: opts.MaxLife, Internet: opts.Internet,
		Clock: s.clock, Logger: opts.Logger,
		Domain: fmt.Sprintf("localhost:%d", addr.(*net.TCPAddr).Port),
	}
	if opts.APIKey != "" {
		o.APIKeys = []string{opts.APIKey}
	}
	return o
}

// serve answers requests: noted down, then spoilt as the faults want, then
// answered by the backend.
func (s *Server) serve() {
	s.http = &http.Server{
		Handler: s.recorder.wrap(s.faults.wrap(s.Backend)), Protocols: new(http.Protocols),
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	s.http.Protocols.SetHTTP1(true)
	s.http.Protocols.SetUnencryptedHTTP2(true)
	s.serving.Go(func() { _ = s.http.Serve(s.listener) })
}

// Client is an HTTP client for the server, with no limits and no redirects
// followed.
func (s *Server) Client() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 32, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Expire ends the life of a sandbox now, as if its time were up. It reports
// whether there was a running sandbox of that id.
func (s *Server) Expire(id string) bool { return s.Backend.Expire(id) }

// Advance lets d pass for the lives of sandboxes, at once.
func (s *Server) Advance(d time.Duration) { s.clock.advance(d) }

// Close ends every connection and every sandbox, and removes what they left.
func (s *Server) Close() error {
	s.faults.Clear()
	err := errors.Join(s.Backend.Close(), s.http.Close())
	s.serving.Wait()
	return errors.Join(err, os.RemoveAll(s.dir))
}
