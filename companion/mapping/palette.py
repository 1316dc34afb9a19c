"""What a game's special spaces are called, and what marking one of them means: its `mapping.toml`, read and checked.

    shape = "grid"                # the usual one of grid, ring, path, cross
    about = ["Row 1 is …"]        # what the host should know before the first tap
    [[mark]]
    name = "castle-red"           # what the palette calls it for programs
    label = "Red's Castle"        # and for people
    group = "square"              # marking a space with one of a group takes the others of the group away
    adds = ["castle", "red"]      # kinds that the space gets
    sets = { owner = "red" }      # facts that it gets
    link = "go"                   # it also needs a second tap: the space to which this link leads
    colour = "#7fae68"            # about how it is printed, if it is told by its colour
    usual = true                  # what a space is as long as nothing else of its group was said
    on = ["base"]                 # only spaces that have one of these kinds by their place
    [[says]]                      # what the leaflet says of the board, where the rules can do without it
    kind = "noble"
    count = 24
    or_more = true                # 24 or more
    rule = "RP-09"
    text = "…"

A game without the file can be mapped too, as a grid whose spaces are all alike.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion.board import Board
from companion.game import Game
from companion.rulebook import Reading

OWN = "own"  # on the house-rule card: as this board has it
SHAPES = ("grid", "ring", "path", "cross")


@dataclass(frozen=True)
class Mark:
    name: str
    label: str
    group: str = ""
    adds: tuple[str, ...] = ()
    sets: Mapping[str, str | int] = field(default_factory=dict)
    link: str = ""
    colour: str = ""
    usual: bool = False
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Says:
    """A count that the leaflet gives and the rules do not need."""

    text: str
    rule: str
    kind: str
    count: int
    or_more: bool = False

    def holds(self, board: Board) -> bool:
        have = len(board.of_kind(self.kind))
        return have == self.count or (self.or_more and have > self.count)


@dataclass(frozen=True)
class Palette:
    shape: str
    about: tuple[str, ...]
    marks: Mapping[str, Mark]
    says: tuple[Says, ...]
    shape_facts: Mapping[str, Any]  # what the usual shape of this game needs to know beside its lines

    def of_group(self, group: str) -> list[Mark]:
        return [mark for mark in self.marks.values() if group and mark.group == group]

    @property
    def printed(self) -> list[Mark]:
        """Those that are told by their colour."""
        return [mark for mark in self.marks.values() if mark.colour]


def palette_of(game: Game) -> Palette:
    return load_palette(game.folder / "mapping.toml")


@cache
def load_palette(path: Path) -> Palette:
    if not path.exists():
        return Palette("grid", (), {}, (), {})
    data = tomllib.loads(path.read_text("utf-8"))
    marks = [_mark(item) for item in data.get("mark", [])]
    assert data["shape"] in SHAPES, f"{path}: shape must be one of {SHAPES}"
    says = tuple(Says(**item) for item in data.get("says", []))
    return Palette(data["shape"], tuple(data.get("about", ())), {mark.name: mark for mark in marks}, says, data.get(data["shape"], {}))


def _mark(item: dict[str, Any]) -> Mark:
    fields: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}
    return Mark(**fields)


def against_leaflet(board: Board, palette: Palette) -> list[str]:
    """Where a board that can be played on differs from what the leaflet says, in words for the house-rule card."""
    return [f"{said.text} ({said.rule}); this board has {len(board.of_kind(said.kind))}" for said in palette.says if not said.holds(board)]


def board_readings(game: Game, board: Board) -> list[Reading]:
    """The same as entries of the card, each with the value OWN in force."""
    values = {OWN: "This table plays on its own board as it is.", "leaflet": "As the leaflet has it."}
    differs = enumerate(against_leaflet(board, palette_of(game)), 1)
    return [Reading(f"board {number}", f"board_{number}", text, "leaflet", values, "high", "table") for number, text in differs]
