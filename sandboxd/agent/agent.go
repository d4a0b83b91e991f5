// Package agent is the daemon inside a sandbox. On one listener it serves
// envd (processes, files), the code interpreter, and the ports that programs
// of the sandbox listen on.
//
// The header Abx-Port of a request picks the service: 49983, or no header, is
// envd, 49999 the interpreter. Every other port of the sandbox is reached by
// CONNECT. The proxy in front sets the header and takes it out of what comes
// from outside.
package agent

import (
	"errors"
	"net"
	"net/http"
	"sync"

	"github.com/agentsandbox/agent-sandbox/sandboxd/agent/interpreter"
)

// Agent is an http.Handler for one sandbox. Use New.
type Agent struct {
	envd        *envd
	interpreter *interpreter.Server // nil in a sandbox without one
	closing     sync.Once
}

// New makes an agent. It starts nothing; Close ends what requests started.
func New(cfg *Config) *Agent {
	a := &Agent{envd: newEnvd(cfg)}
	if cfg.Interpreter {
		a.interpreter = newInterpreter(cfg, a.envd)
	}
	return a
}

// Close kills every process of the agent and waits for them. Requests that
// follow a process end with it.
func (a *Agent) Close() {
	a.closing.Do(func() {
		if a.interpreter != nil {
			_ = a.interpreter.Close() // always nil
		}
		a.envd.close()
	})
}

// Main serves the agent until the listener ends, then kills its processes. It
// returns nil when the listener was closed.
func Main(l net.Listener, cfg *Config) error {
	a := New(cfg)
	defer a.Close()
	srv := &http.Server{Handler: a, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	defer srv.Close()
	if err := srv.Serve(l); !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
