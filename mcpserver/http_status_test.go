package mcpserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
)

// fakeHTTP is a handler on a backend in memory.
func fakeHTTP(t *testing.T, opts *mcpserver.HTTPOptions) (*mcpserver.Handler, *mcpserver.FakeBackend) {
	t.Helper()
	fake := &mcpserver.FakeBackend{}
	handler, err := mcpserver.NewFake(fake, nil).Handler(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := handler.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return handler, fake
}

const listBody = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`

// TestHTTPStatusTable is the table of answers that clients of each revision
// rely on: transports 2025-11-25 and 2026-07-28, where they say nothing what
// the official server libraries do.
func TestHTTPStatusTable(t *testing.T) {
	t.Parallel()
	const live = "live" // stands for the id of an open session
	tests := map[string]struct {
		method, session, body string
		header                http.Header
		want                  int
		text                  string
	}{
		"call without a session":             {"POST", "", listBody, nil, 400, "initialize a session first"},
		"notification without a session":     {"POST", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 400, "initialize a session first"},
		"response without a session":         {"POST", "", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 400, "initialize a session first"},
		"batch without a session":            {"POST", "", "[" + initializeBody + "]", nil, 400, "initialize a session first"},
		"two methods in one message":         {"POST", "", `{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"initialize"}`, nil, 400, ""},
		"initialize on an unknown session":   {"POST", "stale", initializeBody, nil, 404, "initialize a new one"},
		"call on an unknown session":         {"POST", "stale", listBody, nil, 404, "initialize a new one"},
		"stream of an unknown session":       {"GET", "stale", "", nil, 404, ""},
		"DELETE of an unknown session":       {"DELETE", "stale", "", nil, 404, ""},
		"DELETE without a session":           {"DELETE", "", "", nil, 400, "Mcp-Session-Id"},
		"stream without a session":           {"GET", "", "", nil, 400, "Mcp-Session-Id"},
		"stream that accepts JSON only":      {"GET", live, "", http.Header{"Accept": {"application/json"}}, 400, "text/event-stream"},
		"call that accepts JSON only":        {"POST", live, listBody, http.Header{"Accept": {"application/json"}}, 400, "Accept"},
		"call that accepts nothing":          {"POST", live, listBody, http.Header{"Accept": nil}, 400, "Accept"},
		"call that accepts anything":         {"POST", live, listBody, http.Header{"Accept": {"*/*"}}, 200, "run_code"},
		"call with Accept in two headers":    {"POST", live, listBody, http.Header{"Accept": {"text/event-stream", "application/json"}}, 200, "run_code"},
		"call with Accept with weights":      {"POST", live, listBody, http.Header{"Accept": {"application/json;q=0.5, text/event-stream;q=1"}}, 200, "run_code"},
		"initialize that accepts JSON only":  {"POST", "", initializeBody, http.Header{"Accept": {"application/json"}}, 400, "Accept"},
		"an unsupported old revision":        {"POST", live, listBody, http.Header{"Mcp-Protocol-Version": {"2023-01-01"}}, 400, "nsupported protocol version"},
		"a revision that is no date":         {"POST", live, listBody, http.Header{"Mcp-Protocol-Version": {"1"}}, 400, "nsupported protocol version"},
		"another content type":               {"POST", live, listBody, http.Header{"Content-Type": {"text/plain"}}, 415, "application/json"},
		"JSON with a charset":                {"POST", live, listBody, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, 200, "run_code"},
		"malformed JSON":                     {"POST", live, `{"jsonrpc":`, nil, 400, "malformed"},
		"malformed JSON without a session":   {"POST", "", `{"jsonrpc":`, nil, 400, "malformed"},
		"empty body":                         {"POST", live, "", nil, 400, "non-empty"},
		"JSON that is no message":            {"POST", live, `7`, nil, 400, "malformed"},
		"unknown method":                     {"POST", live, `{"jsonrpc":"2.0","id":3,"method":"tools/fry"}`, nil, 400, "tools/fry"},
		"unknown notification":               {"POST", live, `{"jsonrpc":"2.0","method":"notifications/fried"}`, nil, 400, "fried"},
		"notification":                       {"POST", live, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, ""},
		"batch of 2025-06-18":                {"POST", live, "[" + listBody + "]", http.Header{"Mcp-Protocol-Version": {"2025-06-18"}}, 400, "batching"},
		"batch of 2025-03-26":                {"POST", live, "[" + listBody + "]", http.Header{"Mcp-Protocol-Version": {"2025-03-26"}}, 200, "run_code"},
		"re-initialize":                      {"POST", live, initializeBody, nil, 200, `"error"`},
		"PUT":                                {"PUT", live, "", nil, 405, ""},
		"OPTIONS":                            {"OPTIONS", "", "", nil, 405, ""},
		"foreign origin on POST":             {"POST", live, listBody, http.Header{"Origin": {"http://evil.example"}}, 403, "evil.example"},
		"foreign origin on GET":              {"GET", live, "", http.Header{"Origin": {"http://evil.example"}}, 403, ""},
		"foreign origin on DELETE":           {"DELETE", live, "", http.Header{"Origin": {"http://evil.example"}}, 403, ""},
		"opaque origin":                      {"POST", live, listBody, http.Header{"Origin": {"null"}}, 403, ""},
		"origin of a name that was rebound":  {"POST", live, listBody, http.Header{"Origin": {"http://example.com"}}, 403, ""},
		"listed origin":                      {"POST", live, listBody, http.Header{"Origin": {"https://app.example"}}, 200, "run_code"},
		"2026-07-28 from elsewhere, no auth": {"POST", "", listBody, http.Header{"Mcp-Protocol-Version": {"2026-07-28"}}, 400, "-32022"},
		"discover from elsewhere, no auth": {"POST", "", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"server/discover"}}, 200, `"2025-11-25"`},
		"another path": {"POST /other", "", listBody, nil, 404, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, fake := fakeHTTP(t, &mcpserver.HTTPOptions{AllowedOrigins: []string{"https://app.example"}})
			session, sessions := tt.session, 0
			if session == live {
				session = exchange(t.Context(), handler, "POST", "", initializeBody).Header().Get("Mcp-Session-Id")
				sessions = 1
			}
			got := request(t, handler, tt.method, session, tt.body, tt.header)
			if got.Code != tt.want || !strings.Contains(got.Body.String(), tt.text) {
				t.Errorf("status %d, body %q; want %d with %q", got.Code, got.Body, tt.want, tt.text)
			}
			if got.Code == http.StatusMethodNotAllowed && got.Header().Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			if n := handler.Sessions(); n != sessions {
				t.Errorf("%d sessions are open, want %d", n, sessions)
			}
			if n := len(fake.Created()); n != 0 {
				t.Errorf("%d sandboxes were made", n)
			}
		})
	}
}

// request is exchange with headers; nil values take a header away. A method may
// carry another path.
func request(t *testing.T, handler http.Handler, method, session, body string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	method, path, _ := strings.Cut(method, " ")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // ends streams
	defer cancel()
	r := newRequest(ctx, method, session, body)
	if path != "" {
		r.URL.Path = path
	}
	for name, values := range header {
		r.Header[name] = values
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder
}
