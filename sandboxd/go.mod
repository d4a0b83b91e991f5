module github.com/agentsandbox/agent-sandbox/sandboxd

go 1.26.0

require github.com/agentsandbox/agent-sandbox/sandboxclient v0.1.0
