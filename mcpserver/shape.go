package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MetaError is the _meta key of a failed call: {code, message, retryable}.
const MetaError = "agent-sandbox/error"

// shape makes the answer of a call: the structured object, the same as JSON
// text for clients that show only text, and images. A failure has its text and
// its code, and no structured object unless it has one that is complete.
func shape(res *Result, failure *ToolError) *mcp.CallToolResult {
	out := &mcp.CallToolResult{}
	if failure != nil {
		out.IsError = true
		out.Meta = errorMeta(failure)
	}
	if res == nil || res.Structured == nil {
		out.Content = []mcp.Content{&mcp.TextContent{Text: failure.Message}}
		return out
	}
	res.Structured.setNotes(res.Notes)
	text, err := json.Marshal(res.Structured)
	if err != nil {
		return shape(nil, mapError(err))
	}
	out.StructuredContent = json.RawMessage(text)
	out.Content = append(out.Content, &mcp.TextContent{Text: string(text)})
	for _, image := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{MIMEType: image.MIMEType, Data: image.Data})
	}
	return out
}

func errorMeta(failure *ToolError) mcp.Meta {
	return mcp.Meta{MetaError: map[string]any{
		"code": failure.Code, "message": failure.Message, "retryable": failure.Retryable,
	}}
}
