#!/usr/bin/env bash
# Builds the image of Dockerfile: image.sh SANDBOXD TAG, where SANDBOXD is a
# static sandboxd. The base is $BASE, or one made here before, or a public one
# where images can be pulled, or one that debootstrap makes (as root, on Debian,
# from the mirror that apt is configured with). Prints the base's name; all else
# goes to stderr. Once there is a base, the network is not used.
set -euo pipefail
cd "$(dirname "$0")"

packages=python3,nodejs,bash,procps,ca-certificates
public=debian:bookworm-slim

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The name says what is in it, so that a change of the list makes a new base.
own=abx-e2e-base:$(echo "$packages" | sha256sum | cut -c1-12)

have() { docker image inspect "$1" >/dev/null 2>&1; }

# mirror prints where apt gets this machine's own release from.
mirror() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' |
		awk -v release="$1" '$2 == release { print $1; exit }'
}

bootstrap() {
	local release dir=$scratch/root
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "no base image: $public cannot be pulled, and only root on Debian can make one; set BASE" >&2
		return 1
	fi
	command -v debootstrap >/dev/null || {
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq debootstrap
	} >&2
	release=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mkdir "$dir"
	echo "making $own with debootstrap; this takes some minutes, once" >&2
	debootstrap --variant=minbase --include="$packages" "$release" "$dir" "$(mirror "$release")" >"$dir.log" 2>&1 || {
		tail -5 "$dir.log" >&2
		return 1
	}
	rm -f "$dir"/var/cache/apt/archives/*.deb
	tar -C "$dir" --one-file-system -c . | docker import - "$own" >&2
}

base() {
	if [ -n "${BASE:-}" ]; then
		echo "$BASE"
	elif have "$own"; then
		echo "$own"
	elif have "$public" || timeout 60 docker pull -q "$public" >&2; then
		echo "$public"
	else
		bootstrap && echo "$own"
	fi
}

build() {
	local context=$scratch/context
	mkdir "$context"
	cp Dockerfile "$context"
	cp "$1" "$context/sandboxd"
	docker buildx version >/dev/null 2>&1 || export DOCKER_BUILDKIT=0
	docker build -q --build-arg BASE="$3" -t "$2" "$context" >&2
}

exec 9>"${TMPDIR:-/tmp}/abx-e2e-image.lock"
flock 9 # test binaries that run at once make one base
from=$(base)
build "$1" "$2" "$from"
echo "$from"
