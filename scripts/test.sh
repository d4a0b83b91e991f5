#!/usr/bin/env bash
# Runs every test of every module with the race detector, and the isolation
# tests a second time as an ordinary user. Installs or starts what they need
# where it can, and says plainly what was left out where it cannot.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(./internal/... ./sandboxclient/... ./sandboxd/... ./mcpserver/... ./ideinstall/... ./fcdeploy/... ./abx/... ./e2e/...)
left_out=()

say() { printf '\n== %s\n' "$*"; }

race=(-race)
export CGO_ENABLED=1
if ! command -v "${CC:-gcc}" >/dev/null; then
	race=()
	export CGO_ENABLED=0
	left_out+=("the race detector: it needs a C compiler")
fi
command -v python3 >/dev/null || left_out+=("everything that runs Python: python3 is not installed")
command -v node >/dev/null || left_out+=("everything that runs JavaScript: node is not installed")

say "packages"
scripts/packages.sh

say "Docker"
if docker_env=$(scripts/docker.sh); then
	while read -r line; do export "${line?}"; done <<<"$docker_env"
	docker info --format 'engine {{.ServerVersion}}'
else
	left_out+=("everything in containers: there is no Docker engine")
fi

# A test that proves the isolation must not be skipped where it can run. Limits
# of memory are tested without the race detector, whose own need exceeds them.
proofs='Namespace|ForkBomb|Storage|Shared|Core|Kill|Agents|Sandbox|Pause|ManyStarts|CommandTree|Languages|StateDirectory'
limits='Memory|FilesInMemory'
if [ "$(uname)" != Linux ] || [ -n "${ABX_ALLOW_ISOLATION_SKIP:-}" ]; then
	proofs='^$' limits='^$'
fi
status=0

say "tests"
go run ./internal/cmd/testrun -again -no-skip "internal/isolation\.Test($proofs)" -- "${race[@]}" -timeout 15m "${packages[@]}" || status=$?

if [ "$(uname)" = Linux ]; then
	say "isolation without the race detector"
	CGO_ENABLED=0 go run ./internal/cmd/testrun -no-skip "isolation\.Test($limits)" -- -run "Test($limits)" ./sandboxd/internal/isolation || status=$?
fi
if [ "$(id -u)" = 0 ] && [ "$(uname)" = Linux ]; then
	say "isolation as an ordinary user"
	{ sandboxd/internal/isolation/run-as-nobody.sh -test.v || true; } 2>&1 |
		go tool test2json -t -p isolation |
		go run ./internal/cmd/testrun -no-skip "isolation\.Test($proofs|$limits)" -read || status=$?
fi

if [ "${#left_out[@]}" -gt 0 ]; then
	say "LEFT OUT"
	printf '  %s\n' "${left_out[@]}"
fi
exit "$status"
