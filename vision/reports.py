"""What the camera has to say to the table: plain data, JSON both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from companion.events import Move, event_from_json, event_to_json
from companion.game import Game, Terms
from companion.layout import Change

# Kinds of reports.
MADE, ASKED, TAKEN_BACK, WRONG, UNFINISHED, UNSEEN = "made", "asked", "taken_back", "wrong", "unfinished", "unseen"
DOUBTED = "doubted"  # one space looks wrong: please look there
PUT_RIGHT, REMINDER, SET_UP, READY, PACKING = "put_right", "reminder", "set_up", "ready", "packing"
BUMPED, FOUND, LOST, CAMERA = "bumped", "found", "lost", "camera"
# What stays true until it is put right; everything else is said once.
STANDING = (ASKED, WRONG, DOUBTED, UNFINISHED, UNSEEN, SET_UP, LOST)

Moves = tuple[Move, ...]


@dataclass(frozen=True)
class Report:
    """One thing that the camera tells. `version` is the table's as the camera knew it."""

    kind: str
    text: str = ""
    version: int = 0
    moves: Moves = ()
    choices: tuple[Moves, ...] = ()  # of a question; an empty one: nothing was moved
    back: int = 0  # taken back from this act on
    changes: tuple[Change, ...] = ()
    spaces: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    margin: float = 0.0
    pictures: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        out = {key: value for key, value in asdict(self).items() if value not in ("", (), 0, 0.0) or key == "kind"}
        if self.moves:
            out["moves"] = [event_to_json(move) for move in self.moves]
        if self.choices:
            out["choices"] = [[event_to_json(move) for move in moves] for moves in self.choices]
        if self.changes:
            out["changes"] = [{k: v for k, v in change._asdict().items() if v} for change in self.changes]
        if self.margin:
            out["margin"] = round(self.margin, 1)
        return out


def report_from_json(data: Mapping[str, Any], game: Game | None = None, terms: Terms | None = None) -> Report:
    """A report from the camera's process; moves are read by the rules of this game, so nonsense cannot reach the table."""

    def moves(listed: object) -> Moves:
        if game is None or terms is None or not isinstance(listed, list):
            return ()
        read = [event_from_json(item, terms.seats, game.forms(terms)) for item in listed]
        return tuple(event for event in read if isinstance(event, Move))

    choices = data.get("choices")
    changes = data.get("changes")
    return Report(
        str(data["kind"]),
        str(data.get("text", "")),
        int(data.get("version", 0)),
        moves(data.get("moves")),
        tuple(moves(choice) for choice in choices) if isinstance(choices, list) else (),
        int(data.get("back", 0)),
        tuple(Change(**change) for change in changes) if isinstance(changes, list) else (),
        tuple(map(str, data.get("spaces", ()))),
        tuple(map(str, data.get("citations", ()))),
        float(data.get("margin", 0.0)),
        tuple(map(str, data.get("pictures", ()))),
    )
