package interpreter

import (
	"encoding/json"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

// stream writes the lines of an /execute answer, each at once.
type stream struct {
	w       http.ResponseWriter
	encoder *json.Encoder
}

// newStream begins the answer. Its lines carry no content type on the hosted
// service.
func newStream(w http.ResponseWriter) *stream {
	w.Header()["Content-Type"] = nil
	w.WriteHeader(http.StatusOK)
	s := &stream{w: w, encoder: json.NewEncoder(w)}
	s.encoder.SetEscapeHTML(false)
	return s
}

// write sends one line. That the client has gone is seen by its context.
func (s *stream) write(line any) {
	if s.encoder.Encode(line) == nil {
		_ = http.NewResponseController(s.w).Flush()
	}
}

// item writes the line of an item, if it has one, and tells whether it did.
func (s *stream) item(it item) bool {
	switch {
	case it.died:
		s.write(errorLine{Type: api.LineError, Name: "ContextRestarting", Value: "Context was restarted"})
	case it.stream != "":
		s.write(newOutputLine(it.stream, it.text))
	case it.event.Type == "result":
		s.write(resultLine(it.event.Data, it.event.Main))
	case it.event.Type == "error":
		s.write(errorLine{api.LineError, it.event.Name, it.event.Value, it.event.Traceback})
	default:
		return false
	}
	return true
}
