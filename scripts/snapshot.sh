#!/usr/bin/env bash
# Builds the release files of abx into abx/dist and publishes nothing.
#   scripts/snapshot.sh            of the working tree
#   scripts/snapshot.sh release    of the tag in GORELEASER_CURRENT_TAG (vX.Y.Z)
# It installs goreleaser and cyclonedx-gomod into .tools; the first build of
# goreleaser takes about eleven minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/.tools
export PATH="$tools:$PATH"
[ -x "$tools/goreleaser" ] || GOBIN="$tools" GOWORK=off go install github.com/goreleaser/goreleaser/v2@v2.17.0
[ -x "$tools/cyclonedx-gomod" ] || GOBIN="$tools" GOWORK=off go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

skip=publish,announce,validate
command -v docker >/dev/null || skip=$skip,docker
if [ "${1:-}" = release ]; then
	export ABX_GOWORK=off
	arguments=(release --clean --skip="$skip")
	version=$GORELEASER_CURRENT_TAG
else
	export ABX_GOWORK=$PWD/go.work
	version=$(awk '$1 == "abx" {print $2}' versions.txt)
	export GORELEASER_CURRENT_TAG=$version
	arguments=(release --snapshot --clean --skip="$skip,docker")
fi
(cd abx && goreleaser check && goreleaser "${arguments[@]}")
go run ./internal/cmd/mcpb "$version" abx
