module github.com/agentsandbox/agent-sandbox/fcdeploy

go 1.26.0
