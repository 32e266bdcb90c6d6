#!/usr/bin/env bash
# make lint: golangci-lint with .golangci.yaml over the product without ent. Line length has a run of its own, as the rule is for
# new lines only.
set -euo pipefail
cd "$(dirname "$0")/.."

# The commit after which a new line has at most 120 columns. Older ones may be longer: rewrapping 12,000 of them at once would
# conflict with everything that is being written. A change that touches old lines everywhere, such as a rename, moves it forward.
readonly lint_base=b4a5eebd8f2a2c66f7daef47a369284bf12e5f01

# Without that commit golangci-lint only warns, and reports every older line.
git cat-file -e "$lint_base^{commit}" 2>/dev/null ||
	{ echo "lint: this clone lacks $lint_base: a shallow one needs git fetch --unshallow" >&2; exit 1; }

# Go builds it once, in five minutes of processor, and keeps the program in its cache.
golangci() { go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 "$@"; }
packages=(./app/... ./billing/... ./cmd/... ./media/... ./migrate/... ./policy/... ./schema/...)
golangci run --disable lll "${packages[@]}"
golangci run --enable-only lll --new-from-rev "$lint_base" "${packages[@]}"
