// Command abx gives an AI agent a sandbox: it is an MCP server over STDIO or
// Streamable HTTP, installs itself into IDEs, and deploys itself to Alibaba
// Cloud Function Compute.
package main

import (
	"os"

	"github.com/agentsandbox/agent-sandbox/abx/internal/cli"
	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

func main() {
	sandboxd.Init() // does not return in the processes that make up a local sandbox
	os.Exit(cli.Main(os.Args))
}
