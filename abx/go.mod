module github.com/agentsandbox/agent-sandbox/abx

go 1.26.0

require (
	github.com/agentsandbox/agent-sandbox/fcdeploy v0.1.0
	github.com/agentsandbox/agent-sandbox/ideinstall v0.1.0
	github.com/agentsandbox/agent-sandbox/mcpserver v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxclient v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxd v0.1.0
)
