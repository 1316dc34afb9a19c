"""Adds the folder beside this file as a folder of games, for these tests only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games
from tests.web.conftest import host, join, server, stranger, table  # noqa: F401  (fixtures of a served table)

FOLDER = Path(__file__).parent
NAME = "corner_race"


@pytest.fixture
def sixth() -> Iterator[None]:
    """What COMPANION_GAMES does at the start of a program, in this one."""
    games.__path__.append(str(FOLDER))
    games.all_games.cache_clear()
    yield
    games.__path__.remove(str(FOLDER))
    games.all_games.cache_clear()
