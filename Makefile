MAKEFLAGS += --warn-undefined-variables --no-builtin-rules
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

export CGO_ENABLED ?= 0
MODULES  := sandboxclient sandboxd mcpserver ideinstall fcdeploy abx e2e
PACKAGES := ./internal/... $(MODULES:%=./%/...)
FUZZTIME ?= 30s
ARGS     ?=

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-zA-Z_-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/abx, static
	go build -trimpath -ldflags "-s -w" -o bin/abx ./abx

.PHONY: test
test: ## Run every test, with the race detector; installs or names what it needs
	scripts/test.sh

.PHONY: quick
quick: ## Run the tests of one module or package without the race detector: make quick ARGS=./mcpserver/...
	go test $(if $(ARGS),$(ARGS),$(PACKAGES))

.PHONY: check
check: ## Formatting, vet on three systems, static analysis, generated code
	scripts/check.sh

.PHONY: generate
generate: ## Regenerate checked-in code
	go run ./internal/cmd/protogen

.PHONY: tidy
tidy: ## go mod tidy in every module, outside the workspace
	GOWORK=off go mod tidy
	go run ./internal/cmd/modrelease tidy $(ARGS)

.PHONY: get
get: ## Add a dependency: make get ARGS="sandboxd github.com/creack/pty@v1.1.24"
	go run ./internal/cmd/modrelease get $(ARGS)

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (30s)
	scripts/fuzz.sh $(FUZZTIME)

.PHONY: bench
bench: ## Run the benchmarks
	go test -run '^$$' -bench . -benchmem $(if $(ARGS),$(ARGS),$(PACKAGES))

.PHONY: nightly
nightly: ## What takes too long for every change: lint, fuzzing, soaks
	scripts/nightly.sh

.PHONY: docs
docs: ## Regenerate docs/cli from the commands
	go run ./abx/internal/gendocs md docs/cli

.PHONY: rehearse
rehearse: ## Rehearse a release of every module
	scripts/rehearse.sh

.PHONY: snapshot
snapshot: ## Build the release files of abx into abx/dist, unpublished
	scripts/snapshot.sh
