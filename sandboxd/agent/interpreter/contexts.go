package interpreter

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

func (c *codeContext) info() api.CodeContext {
	return api.CodeContext{ID: c.id, Language: c.lang.name, Cwd: c.cwd}
}

func (s *Server) listContexts(w http.ResponseWriter, r *http.Request) {
	infos := []api.CodeContext{}
	for _, c := range s.contexts.list(r.Context()) {
		infos = append(infos, c.info())
	}
	writeJSON(w, http.StatusOK, infos)
}

func (s *Server) createContext(w http.ResponseWriter, r *http.Request) {
	body, bad := readBody(w, r)
	if bad != nil {
		bad.write(w)
		return
	}
	name, cwd, bad := body.optional("language"), body.optional("cwd"), body.problem()
	if bad != nil {
		bad.write(w)
		return
	}
	lang, err := s.languageOf(name)
	if err != nil {
		s.refuseContext(w, r, err)
		return
	}
	if cwd == "" {
		cwd = s.config.Cwd
	}
	c, err := s.contexts.create(r.Context(), lang, cwd)
	if err != nil {
		s.refuseContext(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, c.info())
}

func (s *Server) restartContext(w http.ResponseWriter, r *http.Request) {
	c, err := s.contexts.get(r.PathValue("id"))
	if err != nil {
		writeText(w, http.StatusNotFound, err.Error())
		return
	}
	c.restart()
	writeJSON(w, http.StatusOK, nil)
}

func (s *Server) deleteContext(w http.ResponseWriter, r *http.Request) {
	if err := s.contexts.remove(r.PathValue("id")); err != nil {
		writeText(w, http.StatusNotFound, err.Error())
		return
	}
	writeJSON(w, http.StatusOK, nil)
}

// languageOf finds the language of a request, python when none is named.
func (s *Server) languageOf(name string) (*language, error) {
	if strings.TrimSpace(name) == "" {
		name = "python"
	}
	lang, ok := s.languages.lookup(name)
	if !ok {
		return nil, &unknownLanguageError{name}
	}
	return lang, nil
}

// refuseContext answers that a context or its kernel cannot be had. An error of
// a language is told with those that work here.
func (s *Server) refuseContext(w http.ResponseWriter, r *http.Request, err error) {
	text := "Failed to create context: " + err.Error()
	var unknown *unknownLanguageError
	var missing *missingLanguageError
	if errors.As(err, &unknown) || errors.As(err, &missing) {
		present := strings.Join(s.languages.present(r.Context()), ", ")
		text += ". Languages here: " + cmp.Or(present, "none")
	}
	writeText(w, http.StatusInternalServerError, text)
}
