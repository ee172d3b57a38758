# GPU Bites. `make` serves the site, `make test` runs everything; both install what they need from the locks.
.DEFAULT_GOAL := serve
SHELL := /bin/bash

PYTHON ?= python3
port ?= 8000
PY := .venv/bin/python
export NO_MKDOCS_2_WARNING := 1
export PYTHONDONTWRITEBYTECODE := 1
# Two builds of the same commit are the same bytes.
export SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
# A terminal's size or color must not change what is recorded.
export COLUMNS := 100
# The sources of this folder, also when it was moved or copied since it was installed.
export PYTHONPATH := $(CURDIR)/src

# --- what a machine needs --------------------------------------------------------------------------------------------

# Asked for pip, not for a file: an environment that was cut short while it was made has an interpreter and no pip.
.venv/.installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 5))' || { echo "Python 3.11.5 or newer is needed: make PYTHON=/path/to/python3"; exit 1; }
	@echo "installing Python packages from requirements.txt"
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

node_modules/.installed: package-lock.json
	@command -v npm >/dev/null || { echo "npm is needed, with Node 20 or newer"; exit 1; }
	@echo "installing JavaScript packages from package-lock.json"
	@npm ci --silent --no-audit --no-fund
	@touch $@

.PHONY: install
install: .venv/.installed node_modules/.installed

build/web/names.json: node_modules/.installed $(shell find web vendor -type f) src/gpubites/problem.py src/gpubites/simulator.py
	@node web/build.mjs

.PHONY: free-port
free-port: .venv/.installed
	@$(PY) -c 'import socket, sys; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1", $(port)))' 2>/dev/null || { echo "port $(port) is taken: stop the other server, or choose one, such as: make port=8001"; exit 1; }

# --- the site --------------------------------------------------------------------------------------------------------

.PHONY: serve
serve: free-port install build/web/names.json  ## serve the site with live reload on http://127.0.0.1:8000 (port=… for another)
	@echo "http://127.0.0.1:$(port) is being built; Ctrl-C stops it"
	@SITE_URL=http://127.0.0.1:$(port)/ $(PY) -m mkdocs serve --dev-addr 127.0.0.1:$(port) --no-strict

.PHONY: site
site: install build/web/names.json  ## build the site into site/, strictly (SITE_URL=https://… says where it will live)
	@$(PY) -m mkdocs build --strict
	@echo "$${SITE_DIR:-site}/ is built for $${SITE_URL:-http://127.0.0.1:8000/}"

.PHONY: serve-site
serve-site: free-port site  ## serve the built site as a host would, service worker and policy included
	@$(PY) tests/browser/server.py "$${SITE_DIR:-site}" --port $(port) --cache max-age=600

# --- bites -----------------------------------------------------------------------------------------------------------

.PHONY: new
new: .venv/.installed  ## start a bite: make new bite=mem/some-slug
	@$(PY) -m gpubites new "$$bite"

.PHONY: check
check: .venv/.installed  ## report every problem of every bite, fact and snippet
	@$(PY) -m gpubites check

.PHONY: record
record: install  ## run what changed and write its recording (only=<slug>, again=1 for all)
	@$(PY) -m gpubites record --only "$$only" $(if $(again),--again)

# --- on a GPU --------------------------------------------------------------------------------------------------------

.PHONY: gpu-bundle
gpu-bundle: .venv/.installed  ## pack the CUDA examples and their recorder for a GPU machine: build/gpu-bundle.tar.gz
	@$(PY) -m gpubites gpu pack build/gpu-bundle.tar.gz

.PHONY: import-recordings
import-recordings: .venv/.installed  ## check what a GPU machine recorded, and add it (file=gpu-recordings.json)
	@test -n "$(file)" || { echo "which file? make import-recordings file=gpu-recordings.json"; exit 1; }
	@$(PY) -m gpubites gpu import "$(file)"

# --- quality ---------------------------------------------------------------------------------------------------------

.PHONY: test
test: lint check-js site  ## run everything
	@$(PY) -m pytest -n 2 --dist loadgroup

.PHONY: test-bite
test-bite: lint site  ## run what a bite can break: make test-bite bite=mem/some-slug
	@test -n "$(bite)" || { echo "which bite? make test-bite bite=mem/some-slug"; exit 1; }
	@$(PY) -m pytest -p no:xdist tests/snippets tests/unit/test_render.py tests/site/test_built_site.py -k "$(notdir $(bite)) or built_site and not builds and not sub_path"

.PHONY: test-full
test-full: export GPUBITES_FULL := 1
test-full: test  ## run everything, with every simulator in place of a sample

.PHONY: lint
lint: install
	@$(PY) -m gpubites check
	@$(PY) -m gpubites rules --check
	@$(PY) -m ruff check --quiet
	@$(PY) -m ruff format --check --quiet
	@$(PY) -m mypy
	@.venv/bin/typos

.PHONY: check-js
check-js: node_modules/.installed
	@npx biome check --error-on-warnings web tests/js
	@npx tsc -p web
	@npx tsc -p web/tsconfig.sw.json
	@node --test --test-reporter=dot tests/js/*.test.js

.PHONY: bench
bench: site  ## print sizes and times beside the budgets
	@$(PY) -m gpubites.bench

.PHONY: search-eval
search-eval: site  ## print how often the search finds the right bite, beside Material's and Pagefind
	@$(PY) -m gpubites.bench.search_eval

.PHONY: fix
fix: install  ## format, and write what is generated
	@$(PY) -m ruff check --fix --quiet
	@$(PY) -m ruff format --quiet
	@npx biome check --write web tests/js
	@$(PY) -m gpubites rules

.PHONY: lock
lock: install  ## write the locks from requirements*.in and package.json
	@.venv/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11.5 requirements.in -o requirements.txt
	@.venv/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11.5 requirements-cuda.in -o requirements-cuda.txt
	@npm install --package-lock-only --no-audit --no-fund

.PHONY: help
help:  ## list what make can do
	@grep -hE '^[a-z-]+:.*  ## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*  ## (.*)/\1\t\2/' | while IFS=$$'\t' read -r name words; do printf '  make %-17s %s\n' "$$name" "$$words"; done
