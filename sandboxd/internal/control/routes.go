package control

import (
	"net/http"
	"slices"
	"strings"
)

// Handler is the control plane; make it with New.
type Handler struct {
	cfg     Config
	mux     *http.ServeMux
	samples *samples
}

// call answers one request. Its error becomes the answer, unless it has
// written one already.
type call func(w http.ResponseWriter, r *http.Request) error

// New makes the handler of the control plane.
func New(cfg *Config) *Handler {
	h := &Handler{cfg: *cfg, mux: http.NewServeMux(), samples: newSamples()}
	for path, methods := range h.routes() {
		h.mux.Handle(path, h.authenticated(methods))
	}
	h.mux.HandleFunc("GET /health", health)
	h.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		h.fail(w, r, refuse(http.StatusNotFound, "no such endpoint: %s %s", r.Method, r.URL.Path))
	})
	return h
}

// ServeHTTP answers one call of the control plane.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

type methods map[string]call

// routes lists every call by path and method.
func (h *Handler) routes() map[string]methods {
	routes := map[string]methods{
		"/sandboxes":                 {"POST": h.createV1, "GET": h.listV1},
		"/v2/sandboxes":              {"GET": h.listV2},
		"/sandboxes/metrics":         {"GET": h.metricsOfMany},
		"/sandboxes/{id}":            {"GET": h.get, "DELETE": h.kill},
		"/sandboxes/{id}/timeout":    {"POST": h.setTimeout},
		"/sandboxes/{id}/connect":    {"POST": h.connectV1},
		"/v2/sandboxes/{id}/connect": {},
		"/sandboxes/{id}/refreshes":  {"POST": h.refresh},
		"/sandboxes/{id}/pause":      {"POST": h.pause},
		"/sandboxes/{id}/resume":     {"POST": h.resume},
		"/sandboxes/{id}/metrics":    {"GET": h.metrics},
		"/sandboxes/{id}/logs":       {"GET": h.logsV1},
		"/v2/sandboxes/{id}/logs":    {"GET": h.logsV2},
		"/sandboxes/{id}/network":    {"PUT": h.network},
		"/templates":                 {"GET": h.templates},
		"/v2/templates":              {"GET": h.templates},
	}
	if h.cfg.Profile.CreateV2 {
		routes["/v2/sandboxes"]["POST"] = h.createV2
		routes["/v2/sandboxes/{id}/connect"]["POST"] = h.connectV2
	}
	for path, what := range notOffered {
		addNotOffered(routes, path, what)
	}
	return routes
}

// authenticated picks the call by method, after a look at the key.
func (h *Handler) authenticated(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.serve(w, r, m); err != nil {
			h.fail(w, r, err)
		}
	})
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, m methods) error {
	if err := h.authenticate(r); err != nil {
		return err
	}
	if answer := m[r.Method]; answer != nil {
		return answer(w, r)
	}
	if any := m[""]; any != nil {
		return any(w, r)
	}
	w.Header().Set("Allow", m.allowed())
	return refuse(http.StatusMethodNotAllowed, "method %s is not allowed on %s", r.Method, r.URL.Path)
}

func (m methods) allowed() string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func health(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("Health check successful"))
}
