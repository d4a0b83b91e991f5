package mcpserver_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// exchange makes a request without a network.
func exchange(ctx context.Context, handler http.Handler, method, session, body string) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, newRequest(ctx, method, session, body))
	return recorder
}

func newRequest(ctx context.Context, method, session, body string) *http.Request {
	request := httptest.NewRequestWithContext(ctx, method, "/mcp", strings.NewReader(body))
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Content-Type", "application/json")
	if session != "" {
		request.Header.Set("Mcp-Session-Id", session)
	}
	return request
}

// race lets everything happen to one session at once.
type race struct {
	t       *testing.T
	handler http.Handler
	session string
	wg      sync.WaitGroup
}

func (r *race) soon(do func()) {
	r.wg.Go(func() {
		time.Sleep(rand.N(3 * time.Millisecond)) // so that every order comes up
		do()
	})
}

func (r *race) call(id int) {
	answer := exchange(r.t.Context(), r.handler, "POST", r.session, commandCall(id, "echo"))
	switch body := answer.Body.String(); answer.Code {
	case http.StatusOK:
		if !strings.Contains(body, fmt.Sprintf(`"id":%d,`, id)) {
			r.t.Errorf("a call got 200 with %q", body)
		}
	case http.StatusNotFound, http.StatusTooManyRequests:
	default:
		r.t.Errorf("a call got %d %q", answer.Code, body)
	}
}

func (r *race) stream() {
	ctx, cancel := context.WithTimeout(r.t.Context(), rand.N(3*time.Millisecond))
	defer cancel()
	if got := exchange(ctx, r.handler, "GET", r.session, ""); got.Code != http.StatusOK && got.Code != http.StatusNotFound && got.Code != http.StatusConflict {
		r.t.Errorf("a stream got %d %q", got.Code, got.Body)
	}
}

func (r *race) remove() {
	if got := exchange(r.t.Context(), r.handler, "DELETE", r.session, "").Code; got != http.StatusNoContent && got != http.StatusNotFound {
		r.t.Errorf("DELETE got %d", got)
	}
}

// TestHTTPEndsOfSessionsRace runs calls, streams, DELETE, the TTL and the
// shutdown of 1,000 sessions against each other. Whatever wins, each request
// gets an answer that means something, and no sandbox is left.
func TestHTTPEndsOfSessionsRace(t *testing.T) {
	t.Parallel()
	const servers, sessions = 50, 20
	created := 0
	for range servers {
		fake := &mcpserver.FakeBackend{OnCreate: func(context.Context) error {
			time.Sleep(rand.N(2 * time.Millisecond))
			return nil
		}}
		handler, err := mcpserver.NewFake(fake, nil).Handler(&mcpserver.HTTPOptions{
			SessionTTL: time.Millisecond + rand.N(4*time.Millisecond),
			Limits:     mcpserver.Limits{Rate: 1000, Burst: 1000, CallsPerToken: 1000},
		})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range sessions {
			wg.Go(func() { raceOneSession(t, handler) })
		}
		wg.Go(func() {
			time.Sleep(rand.N(30 * time.Millisecond))
			if err := handler.Shutdown(t.Context()); err != nil {
				t.Errorf("shutdown: %v", err)
			}
			if n := handler.Sessions(); n != 0 {
				t.Errorf("%d sessions after the shutdown", n)
			}
			if n := fake.Alive(); n != 0 {
				t.Errorf("%d sandboxes after the shutdown", n)
			}
		})
		wg.Wait()
		created += len(fake.Created())
		if n := fake.Alive(); n != 0 {
			t.Fatalf("%d of %d sandboxes are left", n, len(fake.Created()))
		}
	}
	if created == 0 {
		t.Error("no sandbox was ever made: nothing was tested")
	}
}

func raceOneSession(t *testing.T, handler http.Handler) {
	opened := exchange(t.Context(), handler, "POST", "", initializeBody)
	if opened.Code == http.StatusServiceUnavailable {
		return // the server shuts down
	}
	r := &race{t: t, handler: handler, session: opened.Header().Get("Mcp-Session-Id")}
	if opened.Code != http.StatusOK || r.session == "" {
		t.Errorf("initialize got %d %q", opened.Code, opened.Body)
		return
	}
	r.soon(func() { r.call(7) })
	r.soon(func() { r.call(8) })
	r.soon(r.stream)
	if rand.N(2) == 0 {
		r.soon(r.remove)
		r.soon(r.remove)
	}
	r.wg.Wait()
}

func TestServerHasOneHandler(t *testing.T) {
	t.Parallel()
	server := mcpserver.NewFake(&mcpserver.FakeBackend{}, nil)
	if _, err := server.Handler(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Handler(nil); err == nil {
		t.Error("a second handler was made: both would own each session")
	}
}
