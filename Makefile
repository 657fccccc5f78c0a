# `make demo` and `make test` set everything up by themselves, in .venv, tests/clients/node_modules and .cache.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := tests/clients/node_modules
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# The first of these that is Python 3.11 or newer.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)

.PHONY: help demo test lint types layers generated pytest generate bench conformance clean

help:
	@echo 'make demo         a recorded agent session streamed through a real engine'
	@echo 'make test         every gate: lint, types, layers, generated files, tests, conformance, clients'
	@echo 'make bench        the measurements behind the table in README.md'
	@echo 'make conformance  the conformance suite against tenterhook serve'
	@echo 'make generate     write schema, TypeScript and tables anew after a change of the protocol'
	@echo 'make clean        remove what the other targets have set up'

demo: $(VENV)/.runtime
	@$(BIN)/tenterhook demo

test: lint types layers generated pytest
	@echo 'all gates passed'

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/basedpyright

layers: $(VENV)/.dev
	$(BIN)/lint-imports

generated: $(VENV)/.dev
	$(BIN)/python -m tenterhook_protocol.generate --check

pytest: $(VENV)/.dev $(NODE_MODULES)/.installed
	$(BIN)/python -m pytest

conformance: $(VENV)/.dev
	$(BIN)/python tests/conformance/runner.py --jobs 4 -- $(BIN)/tenterhook serve

bench: $(VENV)/.dev $(NODE_MODULES)/.installed
	$(BIN)/python tests/bench/run.py

generate: $(VENV)/.dev
	$(BIN)/python -m tenterhook_protocol.generate

$(VENV)/bin/python:
	@test -n '$(PYTHON)' || { echo 'tenterhook needs Python 3.11 or newer; none was found on PATH' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo 'could not make a virtual environment: on Debian and Ubuntu install python3-venv' >&2; \
		rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e '.[dev]'
	@touch $@ $(VENV)/.runtime

$(NODE_MODULES)/.installed: tests/clients/package.json
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null \
		|| { echo 'the tests of the editor clients and of ECC need Node.js 20 or newer and npm' >&2; exit 1; }
	cd tests/clients && npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

clean:
	rm -rf $(VENV) $(NODE_MODULES) .cache .ruff_cache .hypothesis .import_linter_cache
