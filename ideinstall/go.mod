module github.com/agentsandbox/agent-sandbox/ideinstall

go 1.26.0
