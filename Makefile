# make app     installs what requirements.txt pins (the first time: some minutes), starts the app
#              for this machine alone, where any model can be opened
#              (make app HOST=0.0.0.0: for everybody who reaches this machine, PORT=9000: elsewhere)
# make test    the same for the checks: lint, types, import rules, all tests but the slow ones
# make slow    trainings, measurements, the hub's protocol
# make lock    brings requirements.txt up to pyproject.toml; what is pinned stays where it may; and
#              .deploy/requirements*.txt, the same versions for servers without graphics cards
#              (make lock UPGRADE=--upgrade: the newest of every range)
# make audit   known vulnerabilities of what is pinned, where a database of them can be reached
# make newest  runs the checks with the newest of every range, in an environment of its own
PYTHON ?= python3
PORT ?= 8501
HOST ?= 127.0.0.1
UPGRADE ?=
VENV := .venv
BIN := $(VENV)/bin

# uv installs in a third of pip's time; pip alone knows the mirrors of pip's own settings.
UV := uv==0.13.9
PINNED_BY_UV = UV_HTTP_TIMEOUT=300 $(BIN)/uv pip install --python $(BIN)/python \
	--require-hashes --requirement requirements.txt

# One thread a process: the tests run side by side.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --quiet
# Each process has a server and a browser of its own, some 2 GB together.
BROWSERS := --numprocesses auto --maxprocesses 4 --dist loadfile
FIND_CHROMIUM = GLASSFORMER_CHROMIUM="$$($(BIN)/python -m tests.browser)"

.PHONY: app test slow check python core-types app-types javascript lock audit newest
app: $(VENV)/.installed
ifeq ($(filter 127.0.0.1 localhost ::1,$(HOST)),)
	@echo "Everybody who reaches this machine's port $(PORT) can use Glassformer, with the models of its catalog alone."
endif
	@echo "Glassformer starts at http://localhost:$(PORT)"
	@$(BIN)/python -m app.web.start --server.port=$(PORT) --server.address=$(HOST)

test: $(VENV)/.installed check
	$(PYTEST) -m "unit or page" --numprocesses auto
	@$(FIND_CHROMIUM) $(PYTEST) -m "figure or journey" $(BROWSERS)

slow: $(VENV)/.installed
	@$(FIND_CHROMIUM) $(PYTEST) -m slow

# The types are nearly all of it: each half has a core to itself.
check: $(VENV)/.installed
	$(MAKE) --no-print-directory --jobs 2 core-types app-types python javascript

python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

core-types app-types: %-types:
	$(BIN)/basedpyright --pythonpath $(BIN)/python $*

# The browser side's form and types. Without node it is skipped, loudly, and never in CI.
ifneq ($(shell command -v npm),)
javascript: .js/node_modules/.installed
	.js/node_modules/.bin/biome check --config-path=.js --error-on-warnings app/components
	.js/node_modules/.bin/tsc --project .js

.js/node_modules/.installed: .js/package-lock.json
	cd .js && npm ci
	@touch $@
else
javascript:
	@echo "!!! No npm on this machine: THE JAVASCRIPT IS NOT CHECKED. Install Node.js 20 or newer. !!!" >&2
	@test -z "$(CI)"
endif

lock: | $(BIN)/python
	$(BIN)/pip install --quiet $(UV)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --all-extras --generate-hashes \
		--annotation-style line --custom-compile-command "make lock" $(UPGRADE) \
		--output-file requirements.txt pyproject.toml
	@$(call CPU_PINS,--extra redis) > .deploy/requirements.txt
	@$(call CPU_PINS,--extra serve) > .deploy/requirements-serve.txt

# The same versions for a server without graphics cards: no tools, and PyTorch from its own index,
# which tells no hashes to who can't reach it, so that no line of the file has any.
CPU_PINS = { \
	echo "\# Made by make lock, for Linux: requirements.txt without tools, tests and CUDA."; \
	echo "--extra-index-url https://download.pytorch.org/whl/cpu"; \
	sed -nE 's/^(torch|torchvision)==([^ ]+) .*/\1==\2+cpu/p' requirements.txt; \
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --constraints requirements.txt \
		--no-header --no-annotate --no-emit-package torch --no-emit-package torchvision $(1) \
		pyproject.toml | grep -vE '^(cuda|nvidia|triton)'; }

audit: $(VENV)/.installed
	@$(BIN)/python .ci/audit.py

newest:
	rm -rf .newest
	$(MAKE) .newest/bin/python VENV=.newest
	.newest/bin/pip install --editable '.[redis,train,dev]'
	@touch .newest/.installed
	$(MAKE) test VENV=.newest
	rm -rf .newest

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Glassformer needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make app PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.txt | $(BIN)/python
	@echo "Installing (PyTorch is large: a minute or a few the first time) …"
	$(BIN)/pip install --quiet $(UV) && $(PINNED_BY_UV) || \
		$(BIN)/pip install --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
