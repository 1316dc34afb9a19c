"""The games: one folder each, found by looking, so that a new one needs no change here.

Folders elsewhere are looked into as well if COMPANION_GAMES names them (several: separated as in PATH); a game in one of them is
imported as if it lay here. A game from an installed package is found through the entry point group `companion.games`.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from companion.events import one_of
from companion.game import Game

__path__ += [folder for folder in os.environ.get("COMPANION_GAMES", "").split(os.pathsep) if folder]


@cache
def all_games() -> dict[str, Game]:
    """Every game that can be played here, by name."""
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            game: Game = importlib.import_module(f"{__name__}.{module.name}").GAME
            found[game.name] = game
    for entry in entry_points(group="companion.games"):
        game = entry.load()
        found[game.name] = game
    return dict(sorted(found.items()))


def find_game(name: object) -> Game:
    games = all_games()
    return games[one_of("game", name.replace("-", "_").lower() if isinstance(name, str) else name, games)]
