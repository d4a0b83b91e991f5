package interpreter

import (
	"net/http"
)

// Server is the http.Handler of the interpreter. It serves:
//
//	POST   /execute                  runs code, answers NDJSON
//	GET    /contexts                 lists contexts
//	POST   /contexts                 makes one
//	POST   /contexts/{id}/restart    replaces its kernel by a fresh one
//	DELETE /contexts/{id}            ends it
//	GET    /health                   "OK"
//
// Source of paths, statuses and bodies: the interpreter's wire contract.
type Server struct {
	config    Config
	languages *languages
	contexts  *registry
	routes    http.Handler
}

// New returns a server. No process is started before the first request that
// needs one. A nil config is the zero one.
func New(config *Config) *Server {
	if config == nil {
		config = &Config{}
	}
	s := &Server{config: config.withDefaults()}
	s.languages = newLanguages(s.config)
	s.contexts = newRegistry(s.config, s.languages)
	s.routes = s.router()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close kills every kernel with its process group and waits for their end.
// Executions that run see their kernel die; later requests are refused.
func (s *Server) Close() error {
	s.contexts.close()
	return nil
}

func (s *Server) router() http.Handler {
	table := map[string]methods{
		"/execute":               {http.MethodPost: s.execute},
		"/contexts":              {http.MethodGet: s.listContexts, http.MethodPost: s.createContext},
		"/contexts/{id}":         {http.MethodDelete: s.deleteContext},
		"/contexts/{id}/restart": {http.MethodPost: s.restartContext},
		"/health":                {http.MethodGet: health},
	}
	mux := http.NewServeMux()
	for path, byMethod := range table {
		mux.Handle(path, byMethod)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { writeDetail(w, http.StatusNotFound, "Not Found") })
	return mux
}

func health(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, "OK") }
