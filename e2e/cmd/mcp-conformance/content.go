package main

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The suite looks at the types of images and sounds, not into them.
var (
	png = []byte("\x89PNG\r\n\x1a\n")
	wav = []byte("RIFF\x04\x00\x00\x00WAVE")
)

func text(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }

func image() *mcp.ImageContent { return &mcp.ImageContent{MIMEType: "image/png", Data: png} }

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "the text of " + uri}}
}

// emptyObject is the schema of tools without arguments.
var emptyObject = json.RawMessage(`{"type":"object","additionalProperties":false}`)

func addTool(s *mcp.Server, name string, schema json.RawMessage, handle mcp.ToolHandler) {
	s.AddTool(&mcp.Tool{Name: name, Description: "A fixture of the conformance suite.", InputSchema: schema}, handle)
}

// addContentTools adds a tool for each kind of content, and one that fails.
func addContentTools(s *mcp.Server) {
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":            {text("a simple text")},
		"test_image_content":          {image()},
		"test_audio_content":          {&mcp.AudioContent{MIMEType: "audio/wav", Data: wav}},
		"test_embedded_resource":      {embedded("test://embedded-resource")},
		"test_multiple_content_types": {text("several kinds"), image(), embedded("test://mixed-content-resource")},
	} {
		addTool(s, name, emptyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		})
	}
	addTool(s, "test_error_handling", emptyObject, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{text("this tool always fails")}}, nil
	})
	addTool(s, "json_schema_2020_12_tool", json.RawMessage(schema202012), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{text("valid")}}, nil
	})
}

// schema202012 uses the keywords that must survive the way to a client.
const schema202012 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
	"additionalProperties": false
}`
