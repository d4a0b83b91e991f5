package sandboxd

import (
	"encoding/json"
	"net"
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/isolation"
)

// Init must be the first call of main, and of TestMain in tests that start
// sandboxes: the processes inside a sandbox are this same executable, and in
// them Init takes over and never returns. In an ordinary process it returns
// at once.
func Init() { isolation.Dispatch(runAgent) }

// runAgent answers that the agent lives.
func runAgent(l net.Listener, _ *isolation.Place, _ json.RawMessage) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return http.Serve(l, mux)
}
