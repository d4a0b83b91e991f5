// Package transfer is the /files endpoint of envd: whole files in and out, as
// plain HTTP.
package transfer

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/account"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/rest"
	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/settings"
)

// Options say whose files are served and which uploads are known.
type Options struct {
	Settings *settings.Store
	Users    *account.Table
	// Modern admits raw uploads (envd 0.5.7) and metadata (0.6.2).
	Modern bool
}

// Handler serves GET and POST of /files. It checks the token itself, because
// a signature in the query may stand in for it.
type Handler struct{ opts Options }

// New makes a handler.
func New(opts *Options) *Handler { return &Handler{opts: *opts} }

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve := map[string]func(http.ResponseWriter, *http.Request) error{
		http.MethodGet:  h.download,
		http.MethodPost: h.upload,
	}[r.Method]
	if serve == nil {
		w.Header().Set("Allow", "GET, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if err := serve(w, r); err != nil {
		reply(w, err)
	}
}

// reply answers with an error, 500 unless it has a status of its own.
func reply(w http.ResponseWriter, err error) {
	var failed *failure
	if !errors.As(err, &failed) {
		failed = &failure{status: http.StatusInternalServerError, text: err.Error()}
	}
	rest.Error(w, failed.status, failed.text)
}

// failure is an error with the status that it has on the wire.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func fail(status int, format string, args ...any) error {
	return &failure{status: status, text: fmt.Errorf(format, args...).Error()}
}

// user finds whom the query names, or the default user.
func (h *Handler) user(r *http.Request) (*account.User, error) {
	return h.named(r.URL.Query().Get("username"))
}

func (h *Handler) named(name string) (*account.User, error) {
	if name == "" {
		name = h.opts.Settings.Get().User
	}
	u, err := h.opts.Users.Lookup(name)
	if err != nil {
		return nil, fail(http.StatusUnauthorized, "error looking up user '%s': %w", name, err)
	}
	return u, nil
}

func (h *Handler) resolve(u *account.User, path string) (string, error) {
	abs, err := u.Resolve(path, h.opts.Settings.Get().Workdir)
	if err != nil {
		return "", fail(http.StatusBadRequest, "error expanding and resolving path '%s': %w", path, err)
	}
	return abs, nil
}
