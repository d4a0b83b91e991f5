package mcpserver

import (
	"context"
	"embed"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// schemas holds <tool>.input.json and <tool>.output.json. They are written out
// by hand: clients differ in what they accept of a schema, and a snapshot test
// shows every change.
//
//go:embed schemas/*.json
var schemas embed.FS

// tool is one entry of the catalogue.
type tool struct {
	name, title, description string
	annotations              mcp.ToolAnnotations
	run                      handler
}

// handler does the work of a tool. Its error goes through the error mapper.
type handler func(ctx context.Context, s *Session, in *Arguments) (*Result, error)

// Tools lists the tools of the server, in the order of the documentation.
func Tools() []*mcp.Tool {
	list := make([]*mcp.Tool, len(catalog))
	for i := range catalog {
		list[i] = catalog[i].definition()
	}
	return list
}

func (t *tool) definition() *mcp.Tool {
	annotations := t.annotations
	annotations.Title = t.title
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		Annotations:  &annotations,
		InputSchema:  t.schema("input"),
		OutputSchema: t.schema("output"),
	}
}

func (t *tool) schema(kind string) json.RawMessage {
	data, err := schemas.ReadFile("schemas/" + t.name + "." + kind + ".json")
	if err != nil {
		panic(err) // an embedded file: its absence is a broken build
	}
	return data
}
