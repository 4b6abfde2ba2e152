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
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22
	@printf '\nARGS=… is handed on:  make lab ARGS=--no-browser    make test ARGS="tests/unit -k ledger"\n'

.PHONY: lab
lab: $(INSTALLED) ## Set up what is missing, then open the labs in JupyterLab
	@$(BIN)/kafkalab lab $(ARGS)

.PHONY: setup
setup: $(INSTALLED) ## Make .venv with everything in it, each package checked by its hash

# What apt brings and what pip, npm and Ivy bring come side by side.
SYSTEM = tests/setup-system.sh
define set_up
	@$(SYSTEM) $(1) & system=$$!; made=0; \
		{ $(MAKE) --no-print-directory -j2 $(INSTALLED) $(NODE) && $(BIN)/kafkalab fetch; } || made=$$?; wait $$system; exit $$made
endef

.PHONY: test
test: ## The check before each commit that matters: ten minutes from a bare machine (ARGS="tests/unit -k ledger": pytest's own)
	$(call set_up,browser)
	@$(BIN)/python -m $(if $(ARGS),pytest $(ARGS),tests.runner test)

.PHONY: test-all
test-all: ## Every test: both modes, containers, all labs, JupyterLab (ARGS="backends live": some suites)
	$(call set_up,docker)
	@$(BIN)/python -m tests.runner all $(ARGS)

.PHONY: test-nightly
test-nightly: ## What takes hours: random examples, full products, labs twice in both modes, mutants
	$(call set_up,docker)
	@KAFKALAB_ANSWERS=all $(BIN)/python -m tests.runner nightly
	@$(BIN)/python -m tests.labs.try_lab --mode both --twice
	@$(BIN)/python labs/pictures.py --check
	@$(BIN)/python -m tests.mutants
	@$(BIN)/kafkalab bench

.PHONY: test-affected
test-affected: ## Those tests of `make test` that what changed since the last commit can reach (ARGS=main: since main)
	$(call set_up,browser)
	@$(BIN)/python -m tests.runner affected $(ARGS)

.PHONY: check
check: $(INSTALLED) $(NODE) ## Style, types, architecture, the form of labs: a minute, no cluster
	@$(BIN)/python -m tests.runner check

.PHONY: format
format: $(INSTALLED) $(NODE) ## Put the code into the style that `check` asks for
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	frontend/node_modules/.bin/eslint --config frontend/eslint.config.js --fix kafkalab/views frontend

.PHONY: labs
labs: $(INSTALLED) ## Make the notebooks from labs/source (ARGS=02: of one lab)
	$(BIN)/python labs/build.py $(ARGS)

.PHONY: pictures
pictures: $(INSTALLED) ## Take the pictures of the learners' notebooks again, from a real run (ARGS=02: of one lab), then `make labs`
	$(BIN)/python labs/pictures.py $(ARGS)

.PHONY: labs-test
labs-test: $(INSTALLED) ## Run every solved lab twice in a row, with ZooKeeper and with KRaft (ARGS=02: one lab)
	$(BIN)/python -m tests.labs.try_lab --mode both --twice $(ARGS)

.PHONY: gallery
gallery: $(INSTALLED) ## Take the pictures of docs/gallery.md again (needs Chromium)
	$(BIN)/python -m tests.browser.gallery $(ARGS)

.PHONY: compose
compose: $(INSTALLED) ## Write the nodes' settings in docker/compose.yaml, from the specs in docker/compose.py
	@$(BIN)/python docker/compose.py

.PHONY: bench
bench: $(INSTALLED) ## Measure this machine against stock Kafka
	@$(BIN)/kafkalab bench $(ARGS)

.PHONY: lock
lock: $(MADE) ## Write the locks again from pyproject.toml (ARGS=--upgrade takes the newest versions)
	scripts/lock.sh $(ARGS)

.PHONY: clean
clean: ## Remove .venv and whatever else can be made again (fetched jars stay)
	rm -rf .venv build dist test-artifacts frontend/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: frontend
frontend: $(INSTALLED) $(NODE) ## Join the views' front end (needs Node): kafkalab/views/*/bundle.*; its types from picture.py
	@$(BIN)/python frontend/picture_types.py
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
	@printf '%s\n' 'Installing the Python packages of requirements.lock: about 500 MB to download, 1.7 GB in .venv afterwards.' \
		'Kafka and its tools follow: 104 MB. That is once; later runs fetch nothing.'
	@$(PIP) install --require-hashes -r requirements-build.lock
	@$(PIP) install --require-hashes --no-build-isolation -r requirements.lock
	@touch $@

$(INSTALLED): pyproject.toml $(LOCKED) | $(MADE)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
	@echo 'Ready: make lab'
