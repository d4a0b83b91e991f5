package agent

import (
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/internal/tunnel"
)

// Ports that the agent itself answers on.
const (
	PortEnvd        = "49983"
	PortInterpreter = "49999"
)

// PortHeader picks the service of a request.
const PortHeader = "Abx-Port"

// ServeHTTP hands a request to the service that its port header picks.
func (a *Agent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		tunnel.Serve(w, r)
		return
	}
	switch r.Header.Get(PortHeader) {
	case "", PortEnvd:
		a.envd.ServeHTTP(w, r)
	case PortInterpreter:
		a.serveInterpreter(w, r)
	default:
		http.Error(w, "reach this port by CONNECT", http.StatusBadGateway)
	}
}

// serveInterpreter answers 502 where there is none, as for a closed port.
func (a *Agent) serveInterpreter(w http.ResponseWriter, r *http.Request) {
	if a.interpreter == nil {
		http.Error(w, "no code interpreter in this sandbox", http.StatusBadGateway)
		return
	}
	a.interpreter.ServeHTTP(w, r)
}
