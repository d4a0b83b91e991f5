#!/usr/bin/env bash
# Installs the Debian packages that widen what the tests cover, as root on
# Debian. Elsewhere it does nothing: tests that lack one say so and are skipped.
set -euo pipefail

packages=(nodejs python3-matplotlib python3-pandas r-base-core procps nginx-light)
log=${TMPDIR:-/tmp}/abx-packages.log

[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
missing=()
for package in "${packages[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -gt 0 ] || exit 0
echo "installing ${missing[*]}"
apt-get update -qq >"$log" 2>&1 || true
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >>"$log" 2>&1 ||
	echo "some of them could not be installed, see $log" >&2
