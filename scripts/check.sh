#!/usr/bin/env bash
# Everything that judges the tree without running it.
set -euo pipefail
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
packages=(./internal/... ./sandboxclient/... ./sandboxd/... ./mcpserver/... ./ideinstall/... ./fcdeploy/... ./abx/... ./e2e/...)

echo "== gofmt"
unformatted=$(git ls-files -z '*.go' | xargs -0 gofmt -l)
if [ -n "$unformatted" ]; then
	echo "not formatted:" "$unformatted" >&2
	exit 1
fi

for os in linux darwin windows; do
	echo "== go vet for $os"
	GOOS=$os go vet "${packages[@]}"
done

echo "== generated code"
before=$(git diff -- sandboxclient/envd | sha256sum)
go run ./internal/cmd/protogen
if [ "$before" != "$(git diff -- sandboxclient/envd | sha256sum)" ]; then
	echo "sandboxclient/envd is not what its .proto files generate: run make generate" >&2
	exit 1
fi

echo "== actionlint"
[ -x .tools/actionlint ] || GOBIN="$PWD/.tools" GOWORK=off go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
.tools/actionlint -shellcheck= -pyflakes=
