module github.com/agentsandbox/agent-sandbox/abx

go 1.26.0

require (
	github.com/agentsandbox/agent-sandbox/fcdeploy v0.1.0
	github.com/agentsandbox/agent-sandbox/ideinstall v0.1.0
	github.com/agentsandbox/agent-sandbox/mcpserver v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxclient v0.1.0
	github.com/agentsandbox/agent-sandbox/sandboxd v0.1.0
)

require (
	github.com/MakeNowJust/heredoc v1.0.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/term v0.48.0 // indirect
)
