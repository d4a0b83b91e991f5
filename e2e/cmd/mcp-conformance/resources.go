package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addResources(s *mcp.Server) {
	for _, contents := range []*mcp.ResourceContents{
		{URI: "test://static-text", MIMEType: "text/plain", Text: "a static text"},
		{URI: "test://static-binary", MIMEType: "image/png", Blob: png},
		{URI: "test://watched-resource", MIMEType: "text/plain", Text: "nothing changes"},
	} {
		name := strings.TrimPrefix(contents.URI, "test://")
		s.AddResource(&mcp.Resource{URI: contents.URI, Name: name, MIMEType: contents.MIMEType},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
			})
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", MIMEType: "application/json"}, readTemplate)
}

func readTemplate(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: uri, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"data":"of %s"}`, id, id),
	}}}, nil
}
