#!/usr/bin/env bash
# Looks for known vulnerabilities that our code can reach, with the database in
# its form as a Go module, so that no other host is asked. What is known and
# accepted, with the reason, is in scripts/vulncheck.known.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/.tools
vulndb=v0.0.0-20261105234957-e22db6528018
export GOBIN=$tools CGO_ENABLED=0
[ -x "$tools/govulncheck" ] || GOWORK=off go install golang.org/x/vuln/cmd/govulncheck@v1.9.0
[ -x "$tools/indexdb" ] || GOWORK=off go install "golang.org/x/vulndb/cmd/indexdb@$vulndb"
if [ ! -d "$tools/vulndb-$vulndb" ]; then
	GOWORK=off go mod download "golang.org/x/vulndb@$vulndb"
	"$tools/indexdb" -vulns "$(go env GOMODCACHE)/golang.org/x/vulndb@$vulndb/data/osv" -out "$tools/vulndb-$vulndb.new"
	mv "$tools/vulndb-$vulndb.new" "$tools/vulndb-$vulndb"
fi

status=0
for module in sandboxclient sandboxd mcpserver ideinstall fcdeploy abx; do
	echo "== govulncheck $module"
	found=$(cd "$module" && "$tools/govulncheck" -db "file://$tools/vulndb-$vulndb" ./... || true)
	# Those that are called come under "Vulnerability #"; others are only imported.
	for id in $(grep -oE '^Vulnerability #[0-9]+: GO-[0-9]+-[0-9]+' <<<"$found" | grep -oE 'GO-[0-9-]+' | sort -u); do
		if reason=$(grep "^$id " scripts/vulncheck.known); then
			echo "known: $reason"
		else
			status=1
			grep -A8 ": $id$" <<<"$found"
		fi
	done
	grep -qE 'No vulnerabilities found|Your code is affected' <<<"$found" || { echo "$found"; status=1; }
done
exit "$status"
