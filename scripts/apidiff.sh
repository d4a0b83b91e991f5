#!/usr/bin/env bash
# Compares the exported API of each module (or of those named) with its newest
# tag. Exits 2 where an incompatible change is not announced (a line that begins
# "- Breaking:" under "Unreleased" in the module's changelog announces it), and 1
# where the comparison itself did not work.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$PWD/.tools/apidiff
modules=("$@")
[ $# -gt 0 ] || modules=(sandboxclient sandboxd mcpserver ideinstall fcdeploy)
scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/old" 2>/dev/null || true; rm -rf "$scratch"' EXIT

announced() { awk '/^## Unreleased/ {on = 1; next} /^## / {on = 0} on' "$1/CHANGELOG.md" | grep -q '^- Breaking:'; }

# Which packages a module offers, at the place where it is checked out.
packages() { (cd "$1" && go list ./... | { grep -Ev '/(internal|cmd)(/|$)' || true; }); }

status=0
for module in "${modules[@]}"; do
	tag=$(git tag --list "$module/v*" --sort=-v:refname | head -n 1)
	if [ -z "$tag" ]; then
		echo "$module: not released yet"
		continue
	fi
	[ -x "$tool" ] || GOBIN="$PWD/.tools" GOWORK=off go install golang.org/x/exp/cmd/apidiff@v0.0.0-20261113113407-e3970619a1a4
	git worktree add --quiet --detach "$scratch/old" "$tag"
	offered=$(packages "$scratch/old/$module")
	for package in $offered; do
		(cd "$scratch/old/$module" && "$tool" -w "$scratch/export" "$package")
		(cd "$module" && "$tool" -incompatible "$scratch/export" "$package") >"$scratch/changes"
		if [ -s "$scratch/changes" ]; then
			echo "$package since $tag:"
			cat "$scratch/changes"
			announced "$module" || status=2
		fi
	done
	git worktree remove --force "$scratch/old"
done
if [ "$status" != 0 ]; then
	echo "announce the break: a line \"- Breaking: …\" under Unreleased in the changelog" >&2
fi
exit "$status"
