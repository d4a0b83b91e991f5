#!/usr/bin/env bash
# Makes sure that a Docker engine answers, and prints how the tests reach it as
# NAME=value lines. On Debian, as root, it installs docker.io and starts dockerd
# in the background. Exits 1, with the reason on stderr, where there can be none.
set -euo pipefail

log=${TMPDIR:-/tmp}/abx-dockerd.log

answers() { docker info >/dev/null 2>&1; }

install_engine() {
	command -v dockerd >/dev/null && return
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "no Docker engine: start one, or run as root on Debian to have docker.io installed" >&2
		return 1
	fi
	echo "installing docker.io" >&2
	{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq docker.io; } >"$log" 2>&1 || {
		echo "no Docker engine: docker.io could not be installed, see $log" >&2
		return 1
	}
}

start_engine() {
	[ "$(id -u)" = 0 ] || { echo "no Docker engine answers and only root can start one" >&2; return 1; }
	nohup dockerd >>"$log" 2>&1 </dev/null &
	for _ in $(seq 1 120); do
		answers && return
		sleep 0.5
	done
	echo "no Docker engine: dockerd did not answer within a minute, see $log" >&2
	return 1
}

answers || { install_engine && start_engine; }

if [ -f /.dockerenv ]; then
	# Inside a container testcontainers takes the gateway for the host.
	echo TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
fi
echo TESTCONTAINERS_RYUK_DISABLED=true
