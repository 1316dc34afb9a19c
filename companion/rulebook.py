"""A game's rulebook: its leaflet's rules in our own words, and each point that the leaflet leaves unclear.

Kept as data (`rulebook.toml` beside the game). A `Rule` is enforced by the game unless it says why it is left to the players.
An unclear point with a choice is a `Reading`: named values, one of them the default. An unclear point that admits only one
sensible answer is a `Settled` point. `companion/games/every_game.toml` holds the points that no leaflet mentions and every
table meets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from companion.events import BadInput, one_of

ASK = "ask"  # a reading on which this table has not decided yet
EVERY_GAME = Path(__file__).parent / "games" / "every_game.toml"


@dataclass(frozen=True)
class Rule:
    id: str
    text: str
    place: str  # where the leaflet says it: heading and line
    basis: str  # "leaflet", "follows" (from the text) or "custom"
    left_to_players: str = ""  # why the engine does not enforce it; empty: it does


@dataclass(frozen=True)
class Reading:
    id: str
    name: str
    question: str
    default: str
    values: Mapping[str, str] = field(hash=False)  # value -> what it means
    impact: str = "medium"  # "high": decides who wins or whether a move exists
    decided_by: str = "rules"  # or "table": the running referee applies it, not the pure rules


@dataclass(frozen=True)
class Settled:
    id: str
    question: str
    answer: str
    left_to_players: str = ""


Entry = Rule | Reading | Settled


@dataclass(frozen=True)
class Rulebook:
    rules: tuple[Rule, ...]
    readings: tuple[Reading, ...]
    settled: tuple[Settled, ...]

    def reading(self, name: str) -> Reading:
        by_name = {r.name: r for r in self.readings}
        return by_name[one_of("reading", name, by_name)]

    def defaults(self) -> dict[str, str]:
        return {r.name: r.default for r in self.readings}

    def choose(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """All readings in force: those chosen, and the default for the rest."""
        in_force = self.defaults()
        for name, value in chosen.items():
            in_force[name] = one_of(f"reading {name}", value, (*self.reading(name).values, ASK))
        return in_force

    def text(self, id: str) -> str:
        """What a citation stands for, in words."""
        for rule in self.rules:
            if rule.id == id:
                return rule.text
        for reading in self.readings:
            if reading.id == id:
                return reading.question
        for point in self.settled:
            if point.id == id:
                return point.answer
        raise BadInput(f"rule: {id} is not in this rulebook")

    @property
    def entries(self) -> list[Entry]:
        return [*self.rules, *self.readings, *self.settled]

    def ids(self) -> set[str]:
        return {entry.id for entry in self.entries}

    def search(self, word: str) -> list[Entry]:
        """Every entry that mentions the word, by id or text."""
        wanted = word.casefold()

        def mentions(item: Entry) -> bool:
            texts = [item.id]
            if isinstance(item, Rule):
                texts += [item.text, item.place]
            elif isinstance(item, Reading):
                texts += [item.name, item.question, *item.values, *item.values.values()]
            else:
                texts += [item.question, item.answer]
            return any(wanted in text.casefold() for text in texts)

        return [item for item in self.entries if mentions(item)]


@cache
def load_rulebook(path: Path) -> Rulebook:
    """The rulebook of one game, with the points of every game that concern it."""
    own = tomllib.loads(path.read_text("utf-8"))
    shared = tomllib.loads(EVERY_GAME.read_text("utf-8"))
    game = path.parent.name

    def concerns(item: dict[str, object]) -> bool:
        without = item.pop("not_in", [])
        assert isinstance(without, list)
        return game not in without

    return Rulebook(
        tuple(Rule(**r) for r in own.get("rules", [])),
        tuple(Reading(**r) for r in (*own.get("readings", []), *filter(concerns, shared.get("readings", [])))),
        tuple(Settled(**s) for s in (*own.get("settled", []), *filter(concerns, shared.get("settled", [])))),
    )
