// The root module holds the repository's own tools and policy tests. It is
// never tagged: it exists so that a build from a checkout is stamped with the
// version of the tag it was built at.
module github.com/agentsandbox/agent-sandbox

go 1.26.0

tool (
	connectrpc.com/connect/cmd/protoc-gen-connect-go
	google.golang.org/protobuf/cmd/protoc-gen-go
)

require (
	github.com/bufbuild/protocompile v0.14.1
	golang.org/x/mod v0.43.0
	google.golang.org/protobuf v1.36.12
)

require (
	connectrpc.com/connect v1.21.1 // indirect
	golang.org/x/sync v0.8.0 // indirect
)
