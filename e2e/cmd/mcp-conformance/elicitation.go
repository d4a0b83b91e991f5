package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The forms that users are shown: one that is plain, one with a default for
// each primitive type, one with each of the five ways to write an enumeration.
const (
	plainForm = `{
	"type": "object",
	"properties": {"username": {"type": "string"}, "email": {"type": "string"}},
	"required": ["username", "email"]
}`
	defaultsForm = `{
	"type": "object",
	"properties": {
		"name": {"type": "string", "default": "John Doe"},
		"age": {"type": "integer", "default": 30},
		"score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
		"verified": {"type": "boolean", "default": true}
	}
}`
	enumsForm = `{
	"type": "object",
	"properties": {
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [
			{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}
		]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [
			{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}
		]}}
	}
}`
)

func addElicitationTools(s *mcp.Server) {
	message := json.RawMessage(`{"type":"object","properties":{"message":{"type":"string"}}}`)
	for name, form := range map[string]string{
		"test_elicitation":                  plainForm,
		"test_elicitation_sep1034_defaults": defaultsForm,
		"test_elicitation_sep1330_enums":    enumsForm,
	} {
		addTool(s, name, message, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return ask(ctx, req, json.RawMessage(form))
		})
	}
}

func ask(ctx context.Context, req *mcp.CallToolRequest, form json.RawMessage) (*mcp.CallToolResult, error) {
	in := struct{ Message string }{"fill in the form"}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return nil, err
	}
	answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: in.Message, RequestedSchema: form})
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{text(fmt.Sprintf("action=%s content=%v", answer.Action, answer.Content))}}, nil
}
