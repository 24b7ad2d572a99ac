# Two commands are all that is needed: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
PYTEST_ARGS ?=

.PHONY: run test test-slow lint types debian golden bench clean

run: $(VENV)/run-installed  ## play a real Ninjan tournament on Ray and print the board
	$(BIN)/arena run ninjan random greedy random#2 --deals 400 --seed 7 --name demo --db demo.db

test: debian lint types  ## install what tests need, lint, type-check, test
	$(BIN)/arena doctor
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(PYTEST_ARGS)

test-slow: $(VENV)/test-installed  ## the long sweeps that `make test` leaves out
	$(BIN)/python -m pytest -m slow $(PYTEST_ARGS)

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/test-installed
	$(BIN)/mypy

golden: $(VENV)/test-installed  ## rewrite the golden files; read the difference before it is committed
	$(BIN)/python -m pytest --update-golden tests

bench: $(VENV)/test-installed
	$(BIN)/arena bench

# Debian packages that tests need: a browser for the pages.
debian:
	@command -v chromium >/dev/null 2>&1 || { \
	  echo "installing Debian's chromium, which the page tests need"; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq --no-install-recommends chromium >/dev/null; }

$(VENV)/run-installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U pip
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	@touch $@

$(VENV)/test-installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -U pip
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[dev,openspiel]'
	@touch $@ $(VENV)/run-installed

clean:
	rm -rf $(VENV) build dist demo.db demo.db-wal demo.db-shm
