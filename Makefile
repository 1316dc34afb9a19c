# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: run test quick bench soak lint clean

run: $(READY)
	$(BIN)/companion play

test: $(READY) lint
	$(BIN)/python -m pytest

quick: $(READY)
	$(BIN)/python -m pytest -m "not slow"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,bench]'
	touch $@

clean:
	rm -rf $(VENV) build
