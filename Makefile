# Foyer. "make run" starts the product, "make test" tests it; both install what a bare Debian with Go lacks.
SHELL := /bin/bash
GO ?= go
VERSION ?= dev
# generated once, compiled for a minute: the ent package. GOMEMLIMIT keeps its compiler inside small machines.
export GOMEMLIMIT ?= 3GiB
# without the names of folders in what is compiled a kept cache serves a clone in another folder; what tests build does so, too
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)

.DEFAULT_GOAL := help

.PHONY: help
help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## start the product with its own Postgres, a demo studio and a simulated card processor
	@tools/setup.sh postgres
	@echo "building (the first build takes a minute or two) …"
	@$(GO) build -o bin/foyer ./cmd/foyer
	@exec bin/foyer dev

.PHONY: build
build: ## build bin/foyer; VERSION=123 stamps the build number
	$(GO) build -trimpath -ldflags "-s -w -X main.build=$(VERSION)" -o bin/foyer ./cmd/foyer

# At most four packages at a time, however many cores there are: each may have a browser and a hundred connections to the
# one server of the run. What go vet has looked at, go test need not look at again.
AT_ONCE = $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$((n < 4 ? n : 4)))

# The longest packages begin first, so that none of them runs alone at the end.
LONGEST = ./cmd/foyer ./app/hosted ./app/checkout ./app/view

# With TIMES=1 one package runs after the other, as what each takes of Postgres could not be told otherwise.
TIMES_FILE := $(CURDIR)/bin/times.txt
ALL_TESTS = $(if $(TIMES),-p 1 -count 1 -exec '$(CURDIR)/bin/times -into $(TIMES_FILE)',-p $(AT_ONCE))

.PHONY: test
test: ## all tests, the walks short: installs Postgres, chromium, exiftool and MinIO where it may; TIMES=1 tells what each package takes
	@tools/setup.sh postgres pgclient curl chromium minio exiftool
	$(if $(TIMES),cd tools && $(GO) build -o ../bin/times ./times && rm -f $(TIMES_FILE))
	$(GO) vet ./...
	$(GO) test -vet=off $(ALL_TESTS) -timeout 30m $(LONGEST) ./...
	$(if $(TIMES),bin/times -table $(TIMES_FILE))
	$(GO) test -vet=off -tags nolock -run 'A74_Last|LastSeat' -count 1 ./app/booking/ ./app/checkout/ ./app/waitlist/ ./app/walkin/ ./app/availability/ ./app/product/ ./app/giftcard/ ./app/plan/
	cd tools && $(GO) test ./...

.PHONY: test-long
test-long: ## all tests with long walks, races and kills (docs/testing.md); prints every seed
	@tools/setup.sh postgres pgclient curl chromium minio exiftool
	set -o pipefail; FOYER_LONG=1 $(GO) test -vet=off -v -p $(AT_ONCE) -count 1 -timeout 3h ./... | \
		grep --line-buffered -vE '^ *(=== |--- PASS|PASS$$|\?)'

.PHONY: verify
verify: ## the linters, and what needs Node and Java: OpenAPI linters, client types, foreign clients at the simulators, the example checkout, suites and clients of assistants, valid fragments, generated files are current
	@tools/setup.sh postgres chromium node java python
	tools/verify.sh

.PHONY: bench
bench: ## the table of docs/performance.md, with nginx beside fragments where it can be had; AGAINST=path/to/another/foyer takes turns with it
	@tools/setup.sh postgres
	@tools/setup.sh nginx || true
	$(GO) run ./cmd/foyer bench $(if $(AGAINST),--against $(abspath $(AGAINST)))

.PHONY: bench-growth
bench-growth: ## how the cost of a request grows from 1 business to 100, 1,000 and 10,000
	@tools/setup.sh postgres
	$(GO) run ./cmd/foyer bench-growth

.PHONY: bench-console
bench-console: ## from a press in the console to the next paint, with 300 events in a week and a processor four times slower
	@tools/setup.sh postgres chromium
	$(GO) build -trimpath -o bin/foyer ./cmd/foyer
	cd tools && $(GO) run ./screens -foyer ../bin/foyer speed

.PHONY: bench-photos
bench-photos: ## five sizes of a photo of 12 megapixels: the product, imaging, and libvips where vipsthumbnail is
	cd tools && $(GO) run ./photos

.PHONY: pictures
pictures: ## the pictures of docs/console.md, taken of the demo
	@tools/setup.sh postgres chromium
	$(GO) build -trimpath -o bin/foyer ./cmd/foyer
	cd tools && $(GO) run ./screens -foyer ../bin/foyer -into ../docs/pictures -doc ../docs/console.md pictures

.PHONY: drill
drill: ## the bad days of docs/reliability.md, a quarter of an hour: ONLY=rolling,sigterm for some of them, OLD=REVISION for an older neighbour
	@tools/setup.sh postgres pgclient
	@tools/setup.sh nginx || true
	$(GO) build -trimpath -o bin/foyer ./cmd/foyer
	cd tools && $(GO) build -trimpath -o ../bin/drill ./drill
	@old=$$(tools/older.sh $(OLD)) && exec bin/drill -old "$$old" $(if $(ONLY),-only $(ONLY))

.PHONY: fuzz
fuzz: ## hostile requests to every operation, a thousand as each of seven callers; then ten minutes on each parser (FUZZTIME=1m for less)
	@tools/setup.sh postgres
	set -o pipefail; FOYER_LONG=1 $(GO) test -vet=off -count 1 -timeout 3h -v -run '^TestHostileRequests$$' ./app/api/ | grep -vE '^ *(=== RUN|--- PASS)'
	@grep -rln '^func Fuzz' --include='*_test.go' app billing media | while read -r file; do \
		grep -o '^func Fuzz[A-Za-z0-9_]*' $$file | cut -c6- | while read -r target; do \
			echo "== $$target in $$(dirname $$file)"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $${FUZZTIME:-10m} ./$$(dirname $$file)/ || exit 1; \
		done || exit 1; \
	done

.PHONY: words
words: ## bring the catalogues of app/words/po up to date with the sentences in the code
	cd tools && $(GO) run ./words

.PHONY: gen
gen: ## regenerate ent, templates, assets and checksums
	$(GO) run ./schema/gen list
	$(GO) run ./schema/gen client
	cd tools && $(GO) tool templ generate -path ../app
	cd tools && $(GO) run ./assets
	$(GO) run ./migrate/hash

.PHONY: migration
migration: ## the next file of migrate/sql, from what schema/ says and the migrations lack: NAME=what_it_does
	@tools/setup.sh postgres
	$(GO) run ./schema/gen list
	$(GO) run ./migrate/new "$(NAME)"

.PHONY: lint
lint: ## golangci-lint with .golangci.yaml, at the version of tools/lint.sh
	tools/lint.sh

.PHONY: fmt
fmt: ## gofmt and templ fmt
	gofmt -w $$(git ls-files '*.go' | grep -v '^ent/')
	cd tools && $(GO) tool templ fmt ../app
