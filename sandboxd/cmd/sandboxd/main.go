// Command sandboxd is a sandbox backend on this machine, for any client of
// the E2B protocol.
//
//	sandboxd -listen 127.0.0.1:3000
//
// It prints the environment that clients need, as lines "export NAME=value"
// on stdout, and is ready when it has. SIGINT or SIGTERM end it and every
// sandbox.
package main

import (
	"os"

	"github.com/agentsandbox/agent-sandbox/sandboxd"
)

func main() {
	sandboxd.Init()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}
