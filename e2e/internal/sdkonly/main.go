// Command sdkonly links the MCP SDK and does nothing with it: what the start of
// abx is measured against.
package main

import (
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if mcp.NewServer(&mcp.Implementation{Name: "sdkonly", Version: "1"}, nil) == nil {
		os.Exit(1)
	}
}
