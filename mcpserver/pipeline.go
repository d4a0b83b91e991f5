package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"

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
		progress, stop := report(ctx, req)
		defer stop()
		res, err := s.call(withProgress(ctx, progress), t, &schema, req.Params.Arguments)
		return s.shaper.shape(res, mapError(err)), nil
	}
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
