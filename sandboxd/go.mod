module github.com/agentsandbox/agent-sandbox/sandboxd

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/agentsandbox/agent-sandbox/sandboxclient v0.1.0
	github.com/creack/pty v1.1.24
	github.com/elastic/go-seccomp-bpf v1.6.0
	github.com/evanw/esbuild v0.28.2
	github.com/fsnotify/fsnotify v1.10.1
	golang.org/x/net v0.41.0
	golang.org/x/sys v0.50.0
	google.golang.org/protobuf v1.36.12
)
