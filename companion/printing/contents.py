"""What of a game goes on paper: its rulebook and its box, and whatever the file print.toml in its folder says of them.

    [[card]]                      a card, or a part of one; without any, the whole rulebook is printed
    heading = "The throw"
    rules = ["RP-15", "RP-16"]    ids of the rulebook; the card carries their text

    [mm]                          how wide a piece is, by its name without the colour; whatever is not named has 20
    prince = 22

    [beside]                      what lies beside the board and how many of it, such as chips
    white-chip = 100
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import groupby

from companion.game import Game
from companion.layout import Supply
from companion.looks import INK

USUAL_MM = 20.0


@dataclass(frozen=True)
class Part:
    """A heading, and the rules that stand under it on a card."""

    heading: str
    rules: tuple[str, ...]


@dataclass(frozen=True)
class PieceKind:
    name: str
    count: int
    mm: float
    faces: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class Contents:
    card: tuple[Part, ...]
    pieces: tuple[PieceKind, ...]


def contents(game: Game) -> Contents:
    file = game.folder / "print.toml"
    given = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    card = tuple(Part(part["heading"], tuple(part["rules"])) for part in given.get("card", []))
    supplies = (*_box(game), *(Supply(name, number) for name, number in given.get("beside", {}).items()))
    mm = given.get("mm", {})
    pieces = (PieceKind(s.piece, s.number, float(mm.get(_kind(s.piece), USUAL_MM)), s.faces or ("",)) for s in supplies)
    return Contents(card or _whole_rulebook(game), tuple(pieces))


def _whole_rulebook(game: Game) -> tuple[Part, ...]:
    """Every rule under the leaflet's own headings."""
    by_heading = groupby(game.rulebook.rules, key=lambda rule: rule.place.partition(",")[0])
    return tuple(Part(heading, tuple(rule.id for rule in rules)) for heading, rules in by_heading)


def _box(game: Game) -> tuple[Supply, ...]:
    """The whole box: of each piece as many as any variant needs."""
    box: dict[str, Supply] = {}
    for variant in game.variants:
        for players in variant.players:
            for supply in game.pieces(game.terms(variant.name, players)):
                if supply.piece not in box or box[supply.piece].number < supply.number:
                    box[supply.piece] = supply
    return tuple(box.values())


def _kind(piece: str) -> str:
    """'red-prince' is a prince."""
    colour, _, kind = piece.partition("-")
    return kind if colour in INK and kind else piece
