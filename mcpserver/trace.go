package mcpserver

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// traceHeader and stateHeader carry the trace that a request is part of (W3C
// Trace Context); in _meta they have the same names in lower case.
const (
	traceHeader = "Traceparent"
	stateHeader = "Tracestate"
)

// traceForm is version, trace id, parent id and flags; a later version may add
// fields. Version ff and ids of zeros are invalid.
var traceForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
})

// maxTraceState is what a tracestate must at least be passed on of, in bytes.
const maxTraceState = 512

// trace is the trace that a call is part of.
type trace struct{ parent, state string }

type traceKey struct{}

// withTrace puts the trace of a call into its context. A malformed one is as
// good as none.
func withTrace(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	t := traceOf(req)
	if !validTrace(t.parent) {
		return ctx
	}
	if len(t.state) > maxTraceState || strings.ContainsAny(t.state, "\r\n\x00") {
		t.state = ""
	}
	return context.WithValue(ctx, traceKey{}, t)
}

func traceOf(req *mcp.CallToolRequest) trace {
	meta := req.Params.GetMeta()
	parent, _ := meta["traceparent"].(string)
	state, _ := meta["tracestate"].(string)
	if parent == "" && req.Extra != nil && req.Extra.Header != nil {
		parent, state = req.Extra.Header.Get(traceHeader), req.Extra.Header.Get(stateHeader)
	}
	return trace{parent, state}
}

func validTrace(parent string) bool {
	m := traceForm().FindStringSubmatch(parent)
	return m != nil && m[1] != "ff" && strings.Trim(m[2], "0") != "" && strings.Trim(m[3], "0") != "" &&
		(m[1] != "00" || m[4] == "")
}

// traceID is what logs call the trace, "" without one.
func traceID(ctx context.Context) string {
	t, _ := ctx.Value(traceKey{}).(trace)
	if m := traceForm().FindStringSubmatch(t.parent); m != nil {
		return m[2]
	}
	return ""
}

// TraceHeader gives the W3C trace headers of a tool call, for the requests that
// are made on its behalf: it is meant for sandboxclient.Options.Header. nil
// means that the call is part of no trace.
func TraceHeader(ctx context.Context) http.Header {
	t, ok := ctx.Value(traceKey{}).(trace)
	if !ok {
		return nil
	}
	header := http.Header{traceHeader: {t.parent}}
	if t.state != "" {
		header.Set(stateHeader, t.state)
	}
	return header
}
