package harness

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errorKey is where a result says in a closed vocabulary what went wrong.
const errorKey = "agent-sandbox/error"

// Session is an MCP client that is connected to abx.
type Session struct {
	*mcp.ClientSession

	t      testing.TB
	Stderr *Log // of abx
}

// Call calls a tool and returns its structured result; a tool's error fails the
// test.
func (s *Session) Call(ctx context.Context, tool string, args map[string]any) map[string]any {
	s.t.Helper()
	result := s.Try(ctx, tool, args)
	if result.IsError {
		s.t.Fatalf("%s: %s\n%s", tool, Text(result), s.Stderr)
	}
	structured, ok := result.StructuredContent.(map[string]any)
	if !ok {
		s.t.Fatalf("%s: structured content is %T", tool, result.StructuredContent)
	}
	return structured
}

// Try calls a tool that may report an error.
func (s *Session) Try(ctx context.Context, tool string, args map[string]any) *mcp.CallToolResult {
	s.t.Helper()
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", tool, err, s.Stderr)
	}
	return result
}

// Fail calls a tool that has to report an error, and returns its code and text.
func (s *Session) Fail(ctx context.Context, tool string, args map[string]any) (code, text string) {
	s.t.Helper()
	result := s.Try(ctx, tool, args)
	if !result.IsError {
		s.t.Fatalf("%s reports no error: %s", tool, Text(result))
	}
	return Code(result), Text(result)
}

// Code is the error code of a result, "" when it has none.
func Code(result *mcp.CallToolResult) string {
	about, _ := result.Meta[errorKey].(map[string]any)
	code, _ := about["code"].(string)
	return code
}

// Text is the text of a result.
func Text(result *mcp.CallToolResult) string {
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			return text.Text
		}
	}
	return ""
}
