package sandboxd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/control"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/dataplane"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/localtls"
)

// closeTimeout is how long Close gives sandboxes to end. A kill takes
// milliseconds; what takes longer is stuck in the kernel.
const closeTimeout = 30 * time.Second

// The templates that create accepts. The first has nothing on the
// interpreter's port.
const (
	templateBase        = "base"
	templateInterpreter = "code-interpreter-v1"
)

// Server is a sandbox backend; make it with New and close it after use. Its
// methods may be called from several goroutines.
type Server struct {
	settings  *settings
	launcher  isolation.Launcher
	sandboxes *lifecycle.Manager
	control   *control.Handler
	proxy     *dataplane.Proxy
	authority *localtls.Authority
	cpu       cpuMeter

	mu        sync.Mutex
	domain    string
	listening map[*http.Server]bool
	memory    *memoryServer
	closed    bool
}

// New makes a Server; nil options are the defaults. It fails when an option
// is wrong, and when the isolation does not work on this machine: the error
// says why and what to do. It never falls back to a weaker one.
func New(opts *Options) (*Server, error) {
	set, err := opts.settings()
	if err != nil {
		return nil, fmt.Errorf("sandboxd: %w", err)
	}
	authority, err := localtls.NewAuthority()
	if err != nil {
		return nil, fmt.Errorf("sandboxd: %w", err)
	}
	s := &Server{
		settings: set, authority: authority, domain: set.Domain, listening: make(map[*http.Server]bool),
	}
	if err := s.chooseLauncher(); err != nil {
		return nil, fmt.Errorf("sandboxd: %w", err)
	}
	s.sandboxes = lifecycle.New(&lifecycle.Config{
		Start: s.start, NewID: set.profile.NewID, Clock: set.Clock,
		MaxCount: set.MaxSandboxes, MaxLife: set.MaxLife, OnChange: s.noteChange,
	})
	s.proxy = dataplane.New(&dataplane.Config{
		Get: s.sandboxes.Get, Interpreter: hasInterpreter,
		TokenOnEveryPort: set.profile.TokenOnEveryPort, Logger: set.Logger,
	})
	s.control = s.newControl()
	return s, nil
}

func (s *Server) newControl() *control.Handler {
	return control.New(&control.Config{
		Manager: s.sandboxes, Profile: s.settings.profile, Keys: s.settings.APIKeys, Domain: s.Domain,
		Templates: []string{templateBase, templateInterpreter}, Shape: s.shape(),
		MaxLife: s.settings.MaxLife, Sample: s.sample, SetNetwork: s.setNetwork, Logger: s.settings.Logger,
	})
}

// ServeHTTP answers a call of the control plane, or carries a request to the
// sandbox that its host name or its headers name.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target, ok, err := dataplane.Find(r)
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case ok:
		s.settings.Logger.Debug("request to a sandbox", "method", r.Method, "path", r.URL.Path, "sandbox", target.ID, "port", target.Port)
		s.proxy.Serve(w, r, target)
	default:
		s.settings.Logger.Info("request", "method", r.Method, "path", r.URL.Path)
		s.control.ServeHTTP(w, r)
	}
}

// APIKey is a key that the server accepts: the first of the options, or the
// random one.
func (s *Server) APIKey() string { return s.settings.APIKeys[0] }

// Domain is under which clients reach the sandboxes, as <port>-<id>.<domain>.
// It is "" while nothing listens and the options name none.
func (s *Server) Domain() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.domain
}

// Isolation is the name of the isolation in use.
func (s *Server) Isolation() string { return s.launcher.Name() }

// Expire ends the life of a sandbox now, as if its time were up. It reports
// whether there was a running sandbox of that id.
func (s *Server) Expire(id string) bool {
	found, err := s.sandboxes.Get(id)
	return err == nil && found.SetTimeout(0) == nil
}

// Close kills every sandbox and closes every listener. Nothing of a sandbox
// is left afterwards: no process, no mount, no directory.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.Shutdown(ctx)
}

// Shutdown is Close with a deadline of the caller's. Calls of the control
// plane that are under way get their answers; streams from sandboxes end with
// them.
func (s *Server) Shutdown(ctx context.Context) error {
	servers, first := s.stopListening()
	if !first {
		return nil
	}
	errs := []error{s.sandboxes.Close(ctx)}
	for _, server := range servers {
		errs = append(errs, server.Shutdown(ctx))
	}
	s.proxy.Close()
	return errors.Join(append(errs, s.launcher.Close())...)
}

func hasInterpreter(s *lifecycle.Sandbox) bool { return s.Spec.Template == templateInterpreter }

func (s *Server) noteChange(sandbox *lifecycle.Sandbox, what string) {
	s.settings.Logger.Info("sandbox "+what, "sandbox", sandbox.ID, "template", sandbox.Spec.Template)
	if sandbox.Info().State == lifecycle.Ending {
		s.cpu.forget(sandbox.ID)
	}
}
