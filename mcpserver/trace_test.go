package mcpserver_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

const (
	parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" // the specification's example
	zeros  = "00-00000000000000000000000000000000-b7ad6b7169203331-01"
)

// traced makes a call with headers and with _meta, and gives the headers that
// its backend requests would have and what was logged.
func traced(t *testing.T, header http.Header, meta string) (passed http.Header, log string) {
	t.Helper()
	fake := &mcpserver.FakeBackend{}
	fake.OnRun = func(ctx context.Context, _ string, _ *sandboxclient.RunOptions) (*sandboxclient.Result, error) {
		passed = mcpserver.TraceHeader(ctx)
		return &sandboxclient.Result{}, nil
	}
	var lines bytes.Buffer
	handler, err := mcpserver.NewFake(fake, &mcpserver.Options{Logger: slog.New(slog.NewTextHandler(&lines, nil))}).Handler(nil)
	if err != nil {
		t.Fatal(err)
	}
	session := exchange(t.Context(), handler, "POST", "", initializeBody).Header().Get("Mcp-Session-Id")
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_command","arguments":{"command":"x"},"_meta":` + meta + `}}`
	got := request(t, handler, "POST", session, call, header)
	if got.Code != http.StatusOK || got.Header().Get("X-Request-Id") == "" {
		t.Fatalf("status %d, request id %q, body %q", got.Code, got.Header().Get("X-Request-Id"), got.Body)
	}
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	return passed, lines.String()
}

func TestTraceIsLoggedAndPassedOn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		header http.Header
		meta   string
		want   string // traceparent
		state  string
	}{
		"in headers":           {http.Header{"Traceparent": {parent}, "Tracestate": {"a=b"}}, `{}`, parent, "a=b"},
		"in _meta":             {nil, `{"traceparent":"` + parent + `","tracestate":"c=d"}`, parent, "c=d"},
		"a later version":      {http.Header{"Traceparent": {"01" + parent[2:] + "-more"}}, `{}`, "01" + parent[2:] + "-more", ""},
		"none":                 {nil, `{}`, "", ""},
		"zeros":                {http.Header{"Traceparent": {zeros}}, `{}`, "", ""},
		"version ff":           {http.Header{"Traceparent": {"ff" + parent[2:]}}, `{}`, "", ""},
		"version 00 with more": {http.Header{"Traceparent": {parent + "-more"}}, `{}`, "", ""},
		"not a trace":          {http.Header{"Traceparent": {"hello"}}, `{}`, "", ""},
		"a state too long":     {http.Header{"Traceparent": {parent}, "Tracestate": {strings.Repeat("a", 600)}}, `{}`, parent, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passed, log := traced(t, tt.header, tt.meta)
			if got := passed.Get("Traceparent"); got != tt.want {
				t.Errorf("passed on %q, want %q", got, tt.want)
			}
			if got := passed.Get("Tracestate"); got != tt.state {
				t.Errorf("state %q, want %q", got, tt.state)
			}
			if want := "trace=0af7651916cd43dd8448eb211c80319c"; strings.Contains(log, want) != (tt.want != "") {
				t.Errorf("log is %q; the trace is %q", log, tt.want)
			}
		})
	}
}

func TestRequestIDOfTheCallerIsLoggedUnlessItCouldForgeALine(t *testing.T) {
	t.Parallel()
	_, log := traced(t, http.Header{"X-Request-Id": {"req-7"}}, `{}`)
	if !strings.Contains(log, "request=req-7") {
		t.Errorf("log is %q", log)
	}
	_, log = traced(t, http.Header{"X-Request-Id": {"x outcome=forged"}}, `{}`)
	if strings.Contains(log, "forged") {
		t.Errorf("log is %q", log)
	}
}

func TestTokensNeverAppearInAnAnswer(t *testing.T) {
	t.Parallel()
	tokens, err := mcpserver.ParseTokens(strings.NewReader("alice secret-of-alice\nbob short\n"))
	if err != nil {
		t.Fatal(err)
	}
	fake := &mcpserver.FakeBackend{}
	handler, err := mcpserver.NewFake(fake, nil).Handler(&mcpserver.HTTPOptions{Tokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	call := func(token, command string) string {
		header := http.Header{"Authorization": {"Bearer " + token}}
		session := request(t, handler, "POST", "", initializeBody, header).Header().Get("Mcp-Session-Id")
		body := request(t, handler, "POST", session, commandCall(2, command), header).Body.String()
		request(t, handler, "DELETE", session, "", header)
		return body
	}
	if got := call("secret-of-alice", "echo secret-of-alice in short"); strings.Contains(got, "secret-of-alice") || !strings.Contains(got, "[secret] in short") {
		t.Errorf("the answer is %s", got)
	}
	if err := tokens.Replace(strings.NewReader("alice another-secret")); err != nil {
		t.Fatal(err)
	}
	if got := call("another-secret", "echo another-secret"); strings.Contains(got, "another-secret") {
		t.Errorf("after the tokens changed the answer is %s", got)
	}
	if err := handler.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}
