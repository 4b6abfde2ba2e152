# Two commands matter:  make lab  and  make test.  `make` alone lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
# Somebody who waits at a terminal sees what pip is doing; a log of CI does not need every package.
PIP := $(BIN)/python -m pip --disable-pip-version-check $(shell [ -t 2 ] || echo --quiet)
# Passed on to the command behind `lab`, `test` or `bench`:  make lab ARGS=--no-browser
ARGS ?=

# Each step of the set-up leaves a stamp when it is through, so that a second run does nothing and a broken-off one goes on.
MADE := .venv/.made
LOCKED := .venv/.locked
INSTALLED := .venv/.installed
NODE := frontend/node_modules/.installed

.PHONY: help
help: ## List what can be made
	@printf 'kafkalab: Kafka on a real cluster, in Jupyter\n\n'
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 16
	@printf '\nARGS=… is handed on:  make lab ARGS=--no-browser    make test ARGS="tests/unit -k ledger"\n'

.PHONY: lab
lab: $(INSTALLED) ## Set up what is missing, then open the labs in JupyterLab
	@$(BIN)/kafkalab lab $(ARGS)

.PHONY: setup
setup: $(INSTALLED) ## Make .venv with everything in it, each package checked by its hash

.PHONY: test
test: ## Check the style, then run every test
	@# What apt brings and what pip brings come side by side.
	@tests/setup-system.sh & system=$$!; made=0; \
		$(MAKE) --no-print-directory $(INSTALLED) $(NODE) lint || made=$$?; wait $$system; exit $$made
	@tests/run.sh $(ARGS)

.PHONY: check
check: $(INSTALLED) $(NODE) lint ## Style, types and architecture: the checks that need no cluster
	$(BIN)/python -m pytest -q tests/architecture tests/unit/test_views_assets.py

.PHONY: lint
lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

.PHONY: format
format: $(INSTALLED) ## Put the code into the style that `check` asks for
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: labs
labs: $(INSTALLED) ## Make the notebooks from labs/source (ARGS=02: of one lab)
	$(BIN)/python labs/build.py $(ARGS)

.PHONY: pictures
pictures: $(INSTALLED) ## Take the pictures of the learners' notebooks anew from a real run (ARGS=02: of one lab), then `make labs`
	$(BIN)/python labs/pictures.py $(ARGS)

.PHONY: labs-test
labs-test: $(INSTALLED) ## Run every solved lab twice in a row, with ZooKeeper and with KRaft (ARGS=02: one lab)
	$(BIN)/python -m tests.labs.try_lab --mode both --twice $(ARGS)

.PHONY: gallery
gallery: $(INSTALLED) ## Take the pictures of docs/gallery.md anew (needs Chromium)
	$(BIN)/python -m tests.browser.gallery $(ARGS)

.PHONY: compose
compose: $(INSTALLED) ## Make docker/compose.yaml from the specs in kafkalab/cluster/compose.py
	@$(BIN)/python -m kafkalab.cluster.compose

.PHONY: bench
bench: $(INSTALLED) ## Measure this machine against stock Kafka
	@$(BIN)/kafkalab bench $(ARGS)

.PHONY: lock
lock: $(MADE) ## Write the locks anew from pyproject.toml (ARGS=--upgrade takes the newest versions)
	scripts/lock.sh $(ARGS)

.PHONY: clean
clean: ## Remove .venv and whatever else can be made again (fetched jars stay)
	rm -rf .venv build dist test-artifacts frontend/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: frontend
frontend: $(NODE) ## Join the views' front end (needs Node): kafkalab/views/static/joined
	@cd frontend && node build.js

# Node is for who changes the views' front end, and for the tests. The lock holds hashes, and no scripts of packages run.
$(NODE): frontend/package.json frontend/package-lock.json
	@command -v npm >/dev/null || { echo 'npm is not there: install Node 20 or later (only changing and testing the views needs it)' >&2; exit 1; }
	@cd frontend && npm ci --loglevel=error
	@touch $@

$(MADE): scripts/make-venv.sh
	@scripts/make-venv.sh
	@touch $@

# What comes as source is built by the tools of the first lock, not by whatever a build of its own would fetch unchecked.
$(LOCKED): requirements-build.lock requirements.lock | $(MADE)
	@printf '%s\n' 'Installing the Python packages of requirements.lock: about 430 MB to download, 1.4 GB in .venv afterwards.' \
		'Kafka and its tools follow: 104 MB. That is once; later runs fetch nothing.'
	@$(PIP) install --require-hashes -r requirements-build.lock
	@$(PIP) install --require-hashes --no-build-isolation -r requirements.lock
	@touch $@

$(INSTALLED): pyproject.toml $(LOCKED) | $(MADE)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
	@echo 'Ready: make lab'
