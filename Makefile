# Two commands do everything on a fresh machine: `make run` and `make test`.
#
#   make run      installs what it needs and starts the companion, with a stand-in for each device that is not here
#   make test     everything: lint, types, all tests
#   make quick    the tests that take under two minutes
#   make bench    speed, memory and ratios to others measured in the same run, into tests/bench/FIGURES.md
#   make soak     the long versions of the fault tests
#   make pictures  every page at phone, tablet and TV size, into pictures/, and the one in README.md
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What is installed: enough to play, what the tests want beside it, and the peers that we are measured against.
PLAYS  := $(VENV)/.plays
READY  := $(VENV)/.ready
PEERS  := $(VENV)/.peers
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -e
# The browser's driver keeps an event loop running, so its tests have a process of their own.
BROWSER := tests/web/browser tests/night

.PHONY: run test quick bench soak pictures lint clean

run: $(PLAYS)
	@hardware/packages.sh run
	@$(BIN)/companion run --stand-ins

test: $(READY)
	@hardware/packages.sh test
	$(MAKE) lint
	$(BIN)/python -m pytest -rs $(BROWSER)
	$(BIN)/python -m pytest -rs $(BROWSER:%=--ignore=%)

quick: $(READY)
	$(BIN)/python -m pytest -m "not slow" $(BROWSER:%=--ignore=%)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(READY) $(PEERS)
	@hardware/packages.sh test
	$(BIN)/python -m tests.bench.figures

soak: $(READY)
	@hardware/packages.sh test
	$(BIN)/python -m tests.journal.soak_powercuts
	$(BIN)/python -m tests.dice.soak_noise 1000000
	$(BIN)/python -m tests.firmware.soak_codec
	$(BIN)/python -m tests.firmware.soak_fairness
	$(BIN)/python -m tests.firmware.soak_games
	$(BIN)/python -m tests.firmware.soak_day
	$(BIN)/python -m tests.games.soak_games
	$(BIN)/python -m tests.web.soak_api
	$(BIN)/python -m tests.web.browser.soak_play
	$(BIN)/python -m tests.hardware.soak_install
	$(BIN)/python -m tests.vision.soak_evenings
	$(BIN)/python -m tests.mapping.soak_own_boards
	$(BIN)/python -m tests.night.soak_night

pictures: $(READY)
	@hardware/packages.sh test
	$(BIN)/python -m tests.web.browser.pictures
	$(BIN)/python -m tests.web.browser.front_picture

$(PLAYS): pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || hardware/packages.sh venv
	@echo "Python's libraries are put into $(VENV); this takes a minute, and only once."
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) .
	touch $@

$(READY): $(PLAYS)
	$(INSTALL) '.[test]'
	touch $@

$(PEERS): $(READY)
	$(INSTALL) '.[test,bench]'
	touch $@

clean:
	rm -rf $(VENV) build
	$(MAKE) -C firmware clean
