#!/usr/bin/env bash
# Runs the tests of some packages as the user nobody, who has no rights, no home and another Postgres than root's. The
# test programs are built by the caller, so that nobody needs neither the module cache nor a compiler.
#
#   tools/unprivileged.sh PACKAGE[=TESTS] …    TESTS as for go test -run; all when left out
set -euo pipefail
cd "$(dirname "$0")/.."
room=$(mktemp -d /tmp/foyer-nobody.XXXXXX)
trap 'rm -rf "$room"' EXIT
mkdir -p "$room/bin" "$room/src" "$room/home"
git ls-files -z | tar --null -T - -cf - | tar -xf - -C "$room/src"
for what in "$@"; do
	package=${what%%=*}
	go test -c -trimpath -vet=off -ldflags=-s\ -w -o "$room/bin/$(echo "$package" | tr / _).test" "$package"
done
chown -R nobody "$room"
chmod 755 "$room"
for what in "$@"; do
	package=${what%%=*} tests=
	[[ $what != *=* ]] || tests=${what#*=}
	echo "== as nobody: $what"
	(cd "$room/src/$package" && setpriv --reuid=nobody --regid=nogroup --clear-groups \
		env -i PATH="$PATH" HOME="$room/home" LANG=C.UTF-8 "$room/bin/$(echo "$package" | tr / _).test" -test.run "$tests" -test.timeout 15m)
done
