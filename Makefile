# Short names for what tools/ does; each tool says more in its first lines.
.PHONY: setup demo test lint format bench package

setup:
	tools/setup --test

demo:
	tools/demo

test:
	tools/test

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	tools/check-layout

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests

bench:
	tools/bench --quick

package:
	tools/package
