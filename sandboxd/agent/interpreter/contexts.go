package interpreter

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// contextInfo is a context in answers.
type contextInfo struct {
	ID       string `json:"id"`
	Language string `json:"language"`
	Cwd      string `json:"cwd"`
}

func (c *codeContext) info() contextInfo { return contextInfo{c.id, c.lang.name, c.cwd} }

func (s *Server) listContexts(w http.ResponseWriter, r *http.Request) {
	infos := []contextInfo{}
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
	lang, err := s.language(r, name)
	if err != nil {
		writeText(w, http.StatusInternalServerError, err.Error())
		return
	}
	if cwd == "" {
		cwd = s.config.Cwd
	}
	c, err := s.contexts.create(r.Context(), lang, cwd)
	if err != nil {
		writeText(w, http.StatusInternalServerError, s.creationError(r, err).Error())
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

// language finds the language of a request, python when none is named.
func (s *Server) language(r *http.Request, name string) (*language, error) {
	if strings.TrimSpace(name) == "" {
		name = "python"
	}
	lang, ok := lookup(name)
	if !ok {
		return nil, s.creationError(r, &unknownLanguage{name})
	}
	return lang, nil
}

// creationError adds to an error of a language which ones work here.
func (s *Server) creationError(r *http.Request, err error) error {
	var unknown *unknownLanguage
	var missing *missingLanguage
	if errors.As(err, &unknown) || errors.As(err, &missing) {
		present := cmp.Or(strings.Join(s.languages.present(r.Context()), ", "), "none")
		return fmt.Errorf("Failed to create context: %w. Languages here: %s", err, present)
	}
	return fmt.Errorf("Failed to create context: %w", err)
}
