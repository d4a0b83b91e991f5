#!/usr/bin/env bash
# Rehearses a release of every module: packs the tagged ones as the module proxy
# would, and uses them from outside the repository as a user would.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=github.com/agentsandbox/agent-sandbox
export CGO_ENABLED=0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
go build -o "$scratch/modrelease" ./internal/cmd/modrelease

echo "== what a release needs"
"$scratch/modrelease" verify

echo "== every module alone"
"$scratch/modrelease" isolate

"$scratch/modrelease" env "$scratch/outside" >"$scratch/env"
while read -r line; do export "${line?}"; done <"$scratch/env"
version=$(awk '$1 == "abx" {print $2}' versions.txt)

echo "== go install $prefix/abx@$version"
cd "$scratch"
GOBIN="$scratch/bin" go install "$prefix/abx@$version" 2>install.log || { cat install.log >&2; exit 1; }
reported=$("$scratch/bin/abx" version | head -n 1)
if [[ " $reported " != *" $version "* ]]; then
	echo "abx version says: $reported" >&2
	exit 1
fi
echo "$reported"

echo "== a program that imports only sandboxclient"
mkdir program
cd program
cat >main.go <<GO
package main

import (
	"fmt"

	"$prefix/sandboxclient"
)

func main() {
	_, err := sandboxclient.New("key", nil)
	fmt.Println(err)
}
GO
go mod init example.com/program 2>/dev/null
go mod tidy 2>tidy.log || { cat tidy.log >&2; exit 1; }
go build .
cat >allowed <<LIST
connectrpc.com/connect
example.com/program
$prefix/sandboxclient
google.golang.org/protobuf
LIST
go list -deps -f '{{with .Module}}{{.Path}}{{end}}' . | sort -u | grep . >linked
if ! diff allowed linked; then
	echo "importing sandboxclient links other modules than it may" >&2
	exit 1
fi
cat linked
