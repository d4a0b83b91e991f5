package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// handler wraps a tool into the stages of every call: normaliser, handler with
// the manager, shaper, error mapper. Failures are results; the SDK never sees
// an error of ours.
func (s *Server) handler(t *tool) mcp.ToolHandler {
	var schema inputSchema
	if err := json.Unmarshal(t.schema("input"), &schema); err != nil {
		panic(err) // an embedded file: bad JSON in it is a broken build
	}
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		started := time.Now()
		ctx = withTrace(ctx, req)
		progress, stop := report(ctx, req)
		defer stop()
		res, err := s.call(withProgress(ctx, progress), t, &schema, req.Params.Arguments)
		failure := mapError(err)
		s.observe(ctx, req, failure, time.Since(started))
		return s.shaper.shape(res, failure), nil
	}
}

// observe counts a call and logs it.
func (s *Server) observe(ctx context.Context, req *mcp.CallToolRequest, failure *ToolError, took time.Duration) {
	tool, outcome := req.Params.Name, "ok"
	if failure != nil {
		outcome = string(failure.Code)
	}
	s.metrics.called(tool, outcome, took)
	s.opts.logger().InfoContext(ctx, "tool call", "tool", tool, "outcome", outcome, "ms", took.Milliseconds(),
		"session", sessionLabel(ctx), "request", requestID(req), "trace", traceID(ctx))
}

// requestID is what the HTTP layer calls the request, "" on other transports.
func requestID(req *mcp.CallToolRequest) string {
	if req.Extra == nil {
		return ""
	}
	return req.Extra.Header.Get(requestHeader)
}

// sessionLabel is what metadata calls the session: the id itself is a secret.
func sessionLabel(ctx context.Context) string {
	if session, ok := sessionFrom(ctx); ok {
		return shortHash("session", session.ID)
	}
	return ""
}

func (s *Server) call(ctx context.Context, t *tool, schema *inputSchema, raw json.RawMessage) (res *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.opts.logger().Error("panic in a tool", "tool", t.name, "panic", p, "stack", string(debug.Stack()))
			res, err = nil, errPanic
		}
	}()
	session, ok := sessionFrom(ctx)
	if !ok {
		return nil, errors.New("the transport supplied no session")
	}
	args, err := schema.normalize(raw)
	if err != nil {
		return nil, err
	}
	leave, err := session.admit()
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, done := session.bind(ctx)
	defer done()
	res, err = t.run(ctx, session, args)
	if err != nil {
		return res, err
	}
	res.Notes = append(args.notes, res.Notes...)
	return res, nil
}
