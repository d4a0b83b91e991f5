module github.com/agentsandbox/agent-sandbox/e2e

go 1.26.0

require (
	github.com/agentsandbox/agent-sandbox/fcdeploy v0.1.0
	github.com/agentsandbox/agent-sandbox/mcpserver v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxclient v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxd v0.1.0
)

require (
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
