// Command mcp-conformance serves the features that the MCP project's
// conformance suite looks for, on the HTTP stack of this project: what passes
// shows that sessions, streams and limits around the SDK break nothing.
//
// It prints the URL of its endpoint and serves until its input ends.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "mcp-conformance:", err)
		os.Exit(1)
	}
}

func serve() error {
	handler, err := newHandler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	web := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	fmt.Printf("http://%s%s\n", listener.Addr(), mcpserver.DefaultPath)
	_, _ = io.Copy(io.Discard, os.Stdin)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err = errors.Join(handler.Shutdown(ctx), web.Shutdown(ctx))
	<-served
	return err
}

// newHandler has the fixtures beside the seven tools, which nobody calls here:
// their backend does not exist.
func newHandler() (*mcpserver.Handler, error) {
	client, err := sandboxclient.New("e2b_00", &sandboxclient.Options{APIURL: "http://127.0.0.1:9"})
	if err != nil {
		return nil, err
	}
	server, err := mcpserver.New(client, &mcpserver.Options{Configure: func(o *mcp.ServerOptions) {
		o.Capabilities = nil // what the fixtures amount to
		o.CompletionHandler = complete
		o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}})
	if err != nil {
		return nil, err
	}
	addContentTools(server.MCP())
	addTalkingTools(server.MCP())
	addElicitationTools(server.MCP())
	addResources(server.MCP())
	addPrompts(server.MCP())
	return server.Handler(nil)
}
