package interpreter

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// execution is the body of POST /execute.
type execution struct {
	code      string
	contextID string
	language  string
	variables map[string]string
}

func (s *Server) execute(w http.ResponseWriter, r *http.Request) {
	body, bad := readBody(w, r)
	if bad != nil {
		bad.write(w)
		return
	}
	ex := execution{
		code: body.required("code"), contextID: body.optional("context_id"),
		language: body.optional("language"), variables: body.optionalMap("env_vars"),
	}
	body.forbidNUL("code", ex.code)
	body.checkVariables("env_vars", ex.variables)
	if bad := body.problem(); bad != nil {
		bad.write(w)
		return
	}
	if ex.contextID != "" && ex.language != "" {
		writeText(w, http.StatusBadRequest, "Only one of context_id or language can be provided")
		return
	}
	c, err := s.contextOf(&ex)
	if err != nil {
		s.refuseExecution(w, r, err)
		return
	}
	s.executeIn(w, r, c, &ex)
}

// contextOf chooses the context: the named one, or the default one of the
// language.
func (s *Server) contextOf(ex *execution) (*codeContext, error) {
	if ex.contextID != "" {
		return s.contexts.get(ex.contextID)
	}
	lang, err := s.languageOf(ex.language)
	if err != nil {
		return nil, err
	}
	if _, err := s.languages.find(lang); err != nil {
		return nil, err
	}
	return s.contexts.forLanguage(lang)
}

func (s *Server) refuseExecution(w http.ResponseWriter, r *http.Request, err error) {
	var unknown *unknownContextError
	if errors.As(err, &unknown) {
		writeText(w, http.StatusNotFound, err.Error())
		return
	}
	s.refuseContext(w, r, err)
}

func (s *Server) executeIn(w http.ResponseWriter, r *http.Request, c *codeContext, ex *execution) {
	if err := c.acquire(r.Context()); err != nil {
		return // the client has gone while it waited
	}
	defer c.release()
	k, err := c.ready(r.Context())
	if err != nil {
		s.refuseExecution(w, r, err)
		return
	}
	out := newStream(w)
	out.write(countLine{api.LineExecutions, c.number(ex.code)})
	for _, it := range k.takeHeld() {
		out.item(it)
	}
	s.follow(r.Context(), k, ex, out)
	out.write(bareLine{api.LineEnd})
}

// follow runs the code and writes what comes of it until it has ended.
func (s *Server) follow(ctx context.Context, k *kernel, ex *execution, out *stream) {
	code, err := translated(k.lang, ex.code)
	var wrong *translationError
	if errors.As(err, &wrong) {
		out.write(errorLine{api.LineError, wrong.name, wrong.value, wrong.traceback})
		return
	}
	items, err := k.execute(code, ex.variables)
	if err != nil {
		out.item(item{died: true})
		return
	}
	silence := time.NewTicker(s.config.Keepalive)
	defer silence.Stop()
	started := false
	for {
		select {
		case it := <-items:
			started = started || it.event.Type == "started"
			if out.item(it) {
				silence.Reset(s.config.Keepalive)
			}
			if it.last() {
				return
			}
		case <-silence.C:
			out.write(bareLine{api.LineKeepalive})
		case <-ctx.Done():
			s.abandon(k, items, started)
			return
		}
	}
}

func translated(lang *language, code string) (string, error) {
	if lang.translate == nil {
		return code, nil
	}
	return lang.translate(code)
}

// interruptPause is the time between two interrupts of an abandoned execution.
const interruptPause = 500 * time.Millisecond

// abandon frees a kernel whose client has gone: interrupts first, which keep the
// state, and its end if the code does not yield to them. An interrupt before the
// code has started would be lost.
func (s *Server) abandon(k *kernel, items <-chan item, started bool) {
	patience := time.NewTimer(s.config.Yield)
	defer patience.Stop()
	again := time.NewTicker(interruptPause)
	defer again.Stop()
	if started {
		k.interrupt()
	}
	for {
		select {
		case it := <-items:
			if it.last() {
				return
			}
			if it.event.Type == "started" {
				started = true
				k.interrupt()
			}
		case <-again.C:
			if started {
				k.interrupt()
			}
		case <-patience.C:
			s.config.Logger.Info("kernel did not yield to interrupts", "pid", k.cmd.Process.Pid)
			k.kill()
		}
	}
}
