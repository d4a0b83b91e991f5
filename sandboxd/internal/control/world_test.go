package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/control"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/lifecycle"
	"github.com/agentsandbox/agent-sandbox/sandboxd/internal/profile"
)

const key = "e2b_0123456789abcdef"

// idle is a machine in which nothing runs.
type idle struct {
	once  sync.Once
	ended chan struct{}
}

func (*idle) Dial(context.Context) (net.Conn, error) { return nil, errors.New("nothing runs") }
func (*idle) Pause(context.Context) error            { return nil }
func (*idle) Resume(context.Context) error           { return nil }
func (m *idle) Kill(context.Context) error           { m.once.Do(func() { close(m.ended) }); return nil }
func (m *idle) Wait() error                          { <-m.ended; return nil }

// world is a control plane over idle machines.
type world struct {
	t        *testing.T
	handler  *control.Handler
	manager  *lifecycle.Manager
	startErr error
	network  *lifecycle.Network // what SetNetwork was last called with
	netErr   error
}

func newWorld(t *testing.T, p *profile.Profile, limit int) *world {
	t.Helper()
	w := &world{t: t}
	w.manager = lifecycle.New(&lifecycle.Config{
		NewID: p.NewID, MaxCount: limit, MaxLife: 24 * time.Hour,
		Start: func(context.Context, *lifecycle.Sandbox) (lifecycle.Machine, error) {
			return &idle{ended: make(chan struct{})}, w.startErr
		},
	})
	w.handler = control.New(&control.Config{
		Manager: w.manager, Profile: p, Keys: []string{"another", key},
		Domain:    func() string { return "localhost:3000" },
		Templates: []string{"base", "code-interpreter-v1"},
		Shape:     control.Shape{CPUCount: 2, MemoryMB: 2048, DiskSizeMB: 1024}, MaxLife: 24 * time.Hour,
		Sample: func(_ context.Context, s *lifecycle.Sandbox) (api.SandboxMetric, error) {
			now := time.Now()
			return api.SandboxMetric{Timestamp: now, TimestampUnix: now.Unix(), MemUsed: 7}, nil
		},
		SetNetwork: func(_ *lifecycle.Sandbox, n *lifecycle.Network) error { w.network = n; return w.netErr },
		Logger:     slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() {
		if err := w.manager.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w
}

// answer is what a call was answered.
type answer struct {
	*httptest.ResponseRecorder
	t *testing.T
}

func (w *world) call(method, path string, body any) answer {
	w.t.Helper()
	raw, isRaw := body.(string)
	encoded := []byte(raw)
	if !isRaw && body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			w.t.Fatal(err)
		}
	}
	req := httptest.NewRequest(method, path, bytes.NewReader(encoded))
	req.Header.Set("x-api-key", key)
	res := httptest.NewRecorder()
	w.handler.ServeHTTP(res, req)
	return answer{res, w.t}
}

// into decodes the answer.
func (a answer) into(v any) {
	a.t.Helper()
	if err := json.Unmarshal(a.Body.Bytes(), v); err != nil {
		a.t.Fatalf("answer %q: %v", a.Body, err)
	}
}

// is checks an error's status and words.
func (a answer) is(what string, status int, message string) {
	a.t.Helper()
	var e api.Error
	if a.Code == status && status == http.StatusNoContent {
		return
	}
	a.into(&e)
	if a.Code != status || int(e.Code) != status || e.Message != message {
		a.t.Errorf("%s: answered %d %q, want %d %q", what, a.Code, a.Body, status, message)
	}
}

func (w *world) create(body map[string]any) api.Sandbox {
	w.t.Helper()
	full := map[string]any{"templateID": "base", "timeout": 60}
	for name, value := range body {
		full[name] = value
	}
	res := w.call("POST", "/sandboxes", full)
	if res.Code != http.StatusCreated {
		w.t.Fatalf("create answered %d %q", res.Code, res.Body)
	}
	var s api.Sandbox
	res.into(&s)
	return s
}
