"""What the camera's process knows of the table: the game, its state, and the layouts to which the players may go back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion.acts import Played
from companion.events import BadInput, Move
from companion.game import Game, terms_from_json, terms_to_json
from companion.games import find_game
from companion.ledger import Ledger
from companion.news import View as TableView
from vision.umpire import Past

MOST_PAST = 8  # earlier layouts that are tried


@dataclass(frozen=True)
class Scene:
    """The table as of one version. `mover` is the seat whose move was the last act, if it was a move."""

    version: int
    number: int  # of the game, in the journal
    game: Game
    state: Any
    past: tuple[Past, ...] = ()
    mover: str = ""
    paused: bool = False
    is_new: bool = False  # nothing was played yet


def scene_of(ledger: Ledger, version: int = 0, number: int = 0) -> Scene:
    lines = ledger.lines
    last = lines[-1].act if lines else None
    mover = last.event.seat if isinstance(last, Played) and isinstance(last.event, Move) else ""
    past = tuple(Past(line.number, ledger.game.layout(line.before)) for line in lines[-MOST_PAST:])
    paused = ledger.paused or bool(ledger.must_agree)
    return Scene(version, number, ledger.game, ledger.state, past, mover, paused, not lines)


def scene_of_table(view: TableView) -> Scene | None:
    return scene_of(view.ledger, view.version, view.game) if view.ledger else None


def scene_to_json(ledger: Ledger, version: int, number: int) -> dict[str, Any]:
    """For the camera's process, which lives elsewhere and knows nothing but this."""
    scene = scene_of(ledger, version, number)
    return {
        "version": version,
        "number": number,
        "terms": terms_to_json(ledger.terms),
        "position": ledger.game.position(ledger.state),
        "past": [[line.number, ledger.game.position(line.before)] for line in ledger.lines[-MOST_PAST:]],
        "mover": scene.mover,
        "paused": scene.paused,
        "is_new": scene.is_new,
    }


def scene_from_json(data: Mapping[str, Any]) -> Scene:
    game = find_game(data["terms"]["game"])
    terms = terms_from_json(game, data["terms"])

    past = []
    for number, position in data["past"]:
        with suppress(BadInput):  # before the table decided on a reading, what is impossible now may have been possible
            past.append(Past(int(number), game.layout(game.from_position(terms, position))))
    return Scene(
        int(data["version"]), int(data["number"]), game, game.from_position(terms, data["position"]), tuple(past),
        str(data["mover"]), bool(data["paused"]), bool(data["is_new"]),
    )  # fmt: skip
