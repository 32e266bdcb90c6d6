#!/usr/bin/env bash
# make verify: the doc comments are plain and golangci-lint finds nothing, the OpenAPI document breaks nothing that was released
# and satisfies two linters, a TypeScript client of it compiles under --strict, Stripe's own client for Node understands the
# simulated card processor, two clients for Node that are not ours sign in to the simulated ledger and post there, the checkout
# of examples/ buys something with the clients of two generators, the clients of Node and Python read why they are refused while
# they send, the conformance suites of the Model Context Protocol pass, and four clients that are not ours connect as assistants
# do, every fragment of the embeds is valid HTML inside a page, and what is generated is what the sources say.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
dev=
chmod 711 "$out" # root's Postgres runs as somebody else
trap '[ -z "$dev" ] || { kill "$dev" 2>/dev/null && wait "$dev" || true; }; rm -rf "$out"' EXIT

echo "== prose"
(cd tools && go run ./prose -most 6 -phrases 0)

echo "== lint"
tools/lint.sh

echo "== openapi.json"
(cd tools/node && npm ci --ignore-scripts --no-progress --loglevel=error)
bin=$PWD/tools/node/node_modules/.bin
go build -o "$out/foyer" ./cmd/foyer
"$out/foyer" openapi >"$out/openapi.json"
cmp "$out/openapi.json" docs/openapi.json || { echo "docs/openapi.json is old: bin/foyer openapi > docs/openapi.json"; exit 1; }
(cd tools && go test -count=1 ./breaking) || { echo "docs/openapi.json breaks docs/released/openapi.json"; exit 1; }
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$bin/redocly" lint --config tools/node/redocly.yaml "$out/openapi.json"
"$bin/spectral" lint --fail-severity=error --ruleset tools/node/spectral.yaml "$out/openapi.json"
"$bin/openapi-typescript" "$out/openapi.json" -o "$out/client.ts"
"$bin/tsc" --strict --noEmit --skipLibCheck false --target es2022 --module es2022 --moduleResolution bundler "$out/client.ts"
"$bin/tsc" -p app/web/assets/src

echo "== packages"
grep -l '"resolved"' tools/node/package-lock.json examples/checkout/package-lock.json &&
	{ echo "a lockfile names a registry: npm install in a folder with its .npmrc"; exit 1; }
# redoc asks its maker's server for a picture; that is all we change.
(cd "$out" && tar xzf "$(npm pack --silent redoc@3.0.1)")
sed 's#https://cdn.redoc.ly/redoc/logo-mini[a-z-]*\.svg#data:,#g' "$out/package/bundles/redoc.standalone.js" |
	cmp - app/web/assets/src/vendor/redoc.js || { echo "app/web/assets/src/vendor/redoc.js is not the package's"; exit 1; }
rm -rf "$out/package"
(cd "$out" && tar xzf "$(npm pack --silent @hotwired/turbo@8.0.13)")
cmp "$out/package/dist/turbo.es2017-esm.js" app/web/assets/src/vendor/turbo.js || { echo "app/web/assets/src/vendor/turbo.js is not the package's"; exit 1; }
rm -rf "$out/package"
(cd "$out" && tar xzf "$(npm pack --silent @zxing/library@0.23.0)")
cmp "$out/package/umd/index.min.js" app/web/assets/src/vendor/zxing.js || { echo "app/web/assets/src/vendor/zxing.js is not the package's"; exit 1; }

echo "== simulators"
(cd tools && go run ./foreign node/stripe.mjs && go run ./foreign node/ledger.mjs)

echo "== clients that are refused while they send"
go test -tags foreign -count 1 -run 'RefusedEarlyBy(Node|Python)' ./app/web

echo "== example checkout"
(cd examples/checkout && npm ci --ignore-scripts --no-progress --loglevel=error && npm run -s generate && npm run -s build)
"$out/foyer" dev --json --addr 127.0.0.1:0 --data "$out/data" >"$out/dev.json" 2>"$out/dev.log" &
dev=$!
until [ -s "$out/dev.json" ]; do
	kill -0 "$dev" 2>/dev/null || { cat "$out/dev.log"; exit 1; }
	sleep 0.2
done
base=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$out/dev.json" | head -1)
node examples/checkout/build/main.js "$base"

echo "== assistants"
# The suites and the inspector need Node 22.19. Machines with an older one have it from a package.
new='const [a, b] = process.versions.node.split("."); process.exit(a > 22 || a == 22 && b >= 19 ? 0 : 1)'
node22=
for node in node "$PWD"/tools/node/node_modules/node-linux-*/bin/node; do
	if "$node" -e "$new" 2>/dev/null; then
		node22=$(command -v "$node")
		break
	fi
done
[ -n "$node22" ] || { echo "install Node 22.19 or newer"; exit 1; }
(cd tools && go build -o "$out/conformance" ./conformance)
"$out/conformance" "$node22" tools/node/mcp/conformance.mjs
# Side by side, each as another person of the studio.
scripts=(product authorization oauth client sdk inspector)
running=()
for script in "${scripts[@]}"; do
	"$node22" "tools/node/mcp/$script.mjs" "$base" >"$out/$script.txt" 2>&1 &
	running+=($!)
done
failed=
for i in "${!scripts[@]}"; do
	wait "${running[i]}" || failed+=" ${scripts[i]}"
	cat "$out/${scripts[i]}.txt"
done
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
kill "$dev" && wait "$dev"
dev=

echo "== fragments"
mkdir "$out/pages"
for file in app/embed/testdata/*.html; do
	hook=$(sed -n '1s/^<div data-pf="\([a-z]*\)".*/\1/p' "$file")
	[ -n "$hook" ] || { echo "$file does not begin with the root of a fragment"; exit 1; }
	{
		printf '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>A studio</title></head>\n<body><h1>A studio</h1><h2>Booking</h2>\n'
		printf '<svc-%s>' "$hook"
		cat "$file"
		printf '</svc-%s>\n</body>\n</html>\n' "$hook"
	} >"$out/pages/${file##*/}"
done
java -jar tools/node/node_modules/vnu-jar/build/dist/vnu.jar --Werror "$out"/pages/*.html

echo "== generated files"
generated() { find ent schema app/view app/hosted app/console app/web/assets migrate/sql -type f -print0 | sort -z | xargs -0 sha256sum; }
generated >"$out/before"
make -s gen
generated >"$out/after"
diff "$out/before" "$out/after" || { echo "generated files are old: make gen, and commit"; exit 1; }
unformatted=$(git ls-files '*.go' | grep -v '^ent/' | xargs gofmt -l)
[ -z "$unformatted" ] || { echo "not gofmt-ed: $unformatted"; exit 1; }
echo "verify: ok"
