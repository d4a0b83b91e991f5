package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MetaError is the _meta key of a failed call: {code, message, retryable}.
const MetaError = "agent-sandbox/error"

// shaper makes the answers of calls.
type shaper struct {
	secrets *strings.Replacer      // takes secrets of the server out; nil: there are none
	tokens  atomic.Pointer[Tokens] // of callers, which change; nil: there are none
}

func newShaper(secrets []string) *shaper { return &shaper{secrets: redactor(secrets)} }

// redactor takes texts out of others; nil when there are none.
func redactor(secrets []string) *strings.Replacer {
	var pairs []string
	for _, secret := range secrets {
		if secret != "" {
			pairs = append(pairs, secret, "[secret]")
		}
	}
	if pairs == nil {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// shape gives the structured object, the same as JSON text for clients that
// show only text, and images. A failure has its text and its code, and no
// structured object unless it has one that is complete.
func (s *shaper) shape(res *Result, failure *ToolError) *mcp.CallToolResult {
	if failure == nil && res.Failure != nil {
		failure = res.Failure
	}
	out := &mcp.CallToolResult{}
	if failure != nil {
		out.IsError, out.Meta = true, s.errorMeta(failure)
	}
	if res == nil {
		out.Content = []mcp.Content{&mcp.TextContent{Text: s.clean(failure.Message)}}
		return out
	}
	res.Structured.setNotes(res.Notes)
	object, err := encode(res.Structured)
	if err != nil {
		return s.shape(nil, mapError(fmt.Errorf("encode result: %w", err)))
	}
	object = s.clean(object)
	out.StructuredContent = json.RawMessage(object)
	out.Content = append(out.Content, &mcp.TextContent{Text: object})
	for _, text := range res.Texts {
		out.Content = append(out.Content, &mcp.TextContent{Text: s.clean(text)})
	}
	for _, image := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{MIMEType: image.MIMEType, Data: image.Data})
	}
	return out
}

func (s *shaper) errorMeta(failure *ToolError) mcp.Meta {
	return mcp.Meta{MetaError: map[string]any{
		"code": failure.Code, "message": s.clean(failure.Message), "retryable": failure.Retryable,
	}}
}

// clean takes secrets out of a text, and what is not UTF-8.
func (s *shaper) clean(text string) string {
	if s.secrets != nil {
		text = s.secrets.Replace(text)
	}
	if tokens := s.tokens.Load(); tokens != nil {
		text = tokens.redact(text)
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// encode is json.Marshal that leaves <, > and & as they are: a model reads it.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
