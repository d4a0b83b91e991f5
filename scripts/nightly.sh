#!/usr/bin/env bash
# Checks that take too long for every change.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p .tools
export GOBIN="$PWD/.tools"

echo "== golangci-lint"
[ -x .tools/golangci-lint ] || GOWORK=off go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
for module in sandboxclient sandboxd mcpserver ideinstall fcdeploy abx e2e; do
	(cd "$module" && "$GOBIN/golangci-lint" run ./...)
done

echo "== fuzzing"
scripts/fuzz.sh "${FUZZTIME:-2m}"

echo "== soak"
ABX_SOAK_SESSIONS=1000 go test ./mcpserver -run '^TestHTTPSoak$' -timeout 30m

echo "== known vulnerabilities"
scripts/vulncheck.sh

echo "== every module's tests alone"
go run ./internal/cmd/modrelease isolate -test sandboxclient sandboxd mcpserver ideinstall fcdeploy abx

echo "== release files"
scripts/snapshot.sh
