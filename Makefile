# Short names for what tools/ does; each tool explains itself in its first lines.
.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format docs docs-update bench accuracy package container hook

help: ## list these names
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## install missing packages
	tools/setup --test

demo: ## show skan at work
	tools/demo

test: ## build, and run every check and test
	tools/test

lint: ## check the format and the layout
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	tools/checks/layout

format: ## format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests

docs: ## run the commands of README and docs, check links and tables
	tools/build --product skan
	tools/checks/docs

docs-update: ## rewrite output and tables of README and docs
	tools/build --product skan
	tools/checks/docs --update

bench: ## measure speed, in short
	tools/measure/bench --quick

accuracy: ## measure the errors of estimates, in short
	tools/measure/accuracy --short

package: ## build the Debian package
	tools/packaging/package

container: ## build the container without root, and try it
	tools/packaging/container/check

hook: ## run lint before every commit
	printf '#!/bin/sh\nexec make lint\n' > "$$(git rev-parse --git-path hooks)/pre-commit"
	chmod +x "$$(git rev-parse --git-path hooks)/pre-commit"
