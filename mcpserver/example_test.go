package mcpserver_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/agentsandbox/agent-sandbox/mcpserver"
	"github.com/agentsandbox/agent-sandbox/sandboxclient"
)

// A server answers the lines of its input until they end.
func ExampleServer_ServeStdio() {
	client, err := sandboxclient.New("key", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := mcpserver.New(client, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := server.ServeStdio(context.Background(), in, &out); err != nil {
		fmt.Println(err)
	}
	fmt.Print(out.String())
	// Output: {"jsonrpc":"2.0","id":1,"result":{}}
}
