# What a developer runs. CI runs .ci/run, which installs and starts what these
# need; everything here works with Go alone unless it says otherwise.

export GOFLAGS := -buildvcs=false -tags=nobadger,nomysql,nopgx

.PHONY: help build demo test race fuzz bench bench-index generate

help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:.*## / { printf "%-13s %s\n", $$1, $$2 }' Makefile

build: ## the binary, in ./storeware
	go build -o storeware ./cmd/storeware

demo: ## the demo shop on http://localhost:8080
	go run ./cmd/storeware demo

test: ## every test that needs nothing but Go
	go test ./...

race: ## every package without Caddy in it, and the handler
	go test -race $$(go list ./internal/... ./upstream/... ./translate/... | grep -v /walls) ./caddymodule/...

fuzz: ## every fuzz target for FUZZTIME (30s)
	.ci/run fuzz

bench: ## what the module costs beside plain reverse_proxy, in the same run
	STOREWARE_BENCH=1 go test -count=1 -v -timeout=30m -run='^TestBars$$' ./cmd/storeware
	go test -run='^$$' -bench=. -benchtime=200ms ./internal/httpsig ./internal/state/... ./translate/ucp

bench-index: ## the index of products and whole answers, beside their bars (bleve beside it: translate/answer/index/internal/bench)
	STOREWARE_BENCH=1 go test -p=1 -count=1 -v -timeout=15m -run='^TestBars$$' ./translate/answer/index ./translate/answer

generate: ## the table of shops in the README
	go generate ./...
