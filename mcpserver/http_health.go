package mcpserver

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

const (
	// readyFor is how long an answer of the backend is believed.
	readyFor = 5 * time.Second
	// readyLimit bounds the question.
	readyLimit = 5 * time.Second
)

// readiness remembers whether the backend answered lately, so that probes do
// not become load on it.
type readiness struct {
	ping func(context.Context) error // nil: there is nothing to ask

	mu    sync.Mutex
	asked time.Time
	err   error
}

func (r *readiness) check(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ping == nil || (!r.asked.IsZero() && time.Since(r.asked) < readyFor) {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyLimit)
	defer cancel()
	r.err = r.ping(ctx)
	r.asked = time.Now()
	return r.err
}

// ping asks for one sandbox, which costs the backend little.
func ping(ctx context.Context, client *sandboxclient.Client) error {
	for _, err := range client.List(ctx, &sandboxclient.ListOptions{PageSize: 1}) {
		return err
	}
	return nil
}

// serveLive says that the process runs.
func (h *Handler) serveLive(w http.ResponseWriter, _ *http.Request) {
	_, _ = w.Write([]byte("ok\n"))
}

// serveReady says whether sessions can be served. Why not is for the log: the
// endpoint needs no token.
func (h *Handler) serveReady(w http.ResponseWriter, r *http.Request) {
	if err := h.ready.check(r.Context()); err != nil {
		h.hub.server.opts.logger().Warn("the backend does not answer", "error", err)
		http.Error(w, "the sandbox backend does not answer", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}
