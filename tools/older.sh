#!/usr/bin/env bash
# Builds the product as it was before its newest migration and prints the program's path, for "make drill":
#
#   tools/older.sh [REVISION]
#
# What was built once is kept in the cache folder of whoever runs this.
set -euo pipefail
cd "$(dirname "$0")/.."

newest=$(git log -1 --first-parent -m --diff-filter=A --format=%H -- 'migrate/sql/*.sql')
# Migrations 63 and 64 bring kinds of lines and of photos that a program of before does not know, so they take the place
# of a first one: two builds of them run side by side.
first=$(git log -1 --first-parent -m --diff-filter=A --format=%H -- migrate/sql/00063_gift_cards.sql)
before=$newest^
[ "$newest" != "$first" ] || before=$newest
revision=$(git rev-parse --verify --quiet "${1:-$before}^{commit}") || {
	echo "older: the history here does not reach back to before the newest migration; a full clone has it" >&2
	exit 1
}
kept=${XDG_CACHE_HOME:-$HOME/.cache}/foyer-drill/$revision
if [ ! -x "$kept/foyer" ]; then
	echo "older: building ${revision:0:12}, once (a minute or two)" >&2
	mkdir -p "$kept/source"
	git archive "$revision" | tar -x -C "$kept/source"
	(cd "$kept/source" && go build -trimpath -o "$kept/foyer" ./cmd/foyer)
	rm -rf "$kept/source"
fi
echo "$kept/foyer"
