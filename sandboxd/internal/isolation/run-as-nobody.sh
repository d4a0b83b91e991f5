#!/bin/sh
# Runs this package's tests as an ordinary user, which takes another way
# through the kernel than root does. Arguments go to the test binary:
#
#	sandboxd/internal/isolation/run-as-nobody.sh -test.run Namespace -test.v
set -eu
cd "$(dirname "$0")"
dir=$(mktemp -d /tmp/abx-nobody.XXXXXX)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 go test -c -o "$dir/isolation.test" .
[ ! -d testdata ] || cp -r testdata "$dir/"
mkdir "$dir/tmp"
chown nobody "$dir/tmp"
chmod 755 "$dir" "$dir/isolation.test"
cd "$dir"
su -s /bin/sh -c 'TMPDIR="$0/tmp" exec "$0/isolation.test" -test.timeout 300s "$@"' -- nobody "$dir" "$@"
