"""What of a game goes on paper: the file print.toml in its folder, or, where there is none, what its rulebook and set-up tell.

    [[card]]                      a card, or a part of one
    heading = "The throw"
    rules = ["RP-15", "RP-16"]    ids of the rulebook; the card carries their text

    [[pieces]]
    name = "red-prince"           as in layouts
    count = 1
    mm = 22                       across
    faces = ["advance", "retreat"]   where it has two
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from companion.game import Game

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
    pieces = tuple(PieceKind(p["name"], p["count"], float(p["mm"]), tuple(p.get("faces", [""]))) for p in given.get("pieces", []))
    return Contents(card or _whole_rulebook(game), pieces or _pieces_of_set_up(game))


def _whole_rulebook(game: Game) -> tuple[Part, ...]:
    """Every rule under the leaflet's own headings."""
    by_heading = groupby(game.rulebook.rules, key=lambda rule: rule.place.partition(",")[0])
    return tuple(Part(heading, tuple(rule.id for rule in rules)) for heading, rules in by_heading)


def _pieces_of_set_up(game: Game) -> tuple[PieceKind, ...]:
    """As many of each piece as the variant that needs most of them puts on the board."""
    most: Counter[str] = Counter()
    for variant in game.variants:
        for seats in variant.players:
            most |= Counter(p.piece for p in game.layout(game.set_up(game.terms(variant.name, seats))).standing)
    return tuple(PieceKind(name, count, USUAL_MM) for name, count in sorted(most.items()))
