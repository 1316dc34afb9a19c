"""A journal as plain lists in memory: what the real one must be equal to; and a game night to write into both."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from companion.journal import Draft
from companion.journal.history import History
from companion.journal.records import to_json

TERMS = {"game": "siege", "variant": "", "seats": ["Red", "Blue"], "board": "plain", "readings": {"SG-4": "strict"}}


class Model:
    """Takes what a `Journal` takes. Sequences, numbers and ids come out as theirs do."""

    def __init__(self) -> None:
        self.games: list[list[Any]] = []
        self.events: list[tuple[Any, ...]] = []
        self.rules: dict[str, dict[str, Any]] = {}

    def start_game(self, terms: dict[str, Any]) -> int:
        self.games.append([len(self.games) + 1, terms["game"], terms, "running", None])
        return len(self.games)

    def append(self, draft: Draft) -> None:
        self.append_all([draft])

    def append_all(self, drafts: Iterable[Draft]) -> None:
        for d in drafts:
            number = None if d.game is None else 1 + sum(event[1] == d.game for event in self.events)
            self.events.append((len(self.events) + 1, d.game, number, d.source, d.kind, d.body, d.answers, d.ruling))

    def finish(self, game: int, outcome: Any) -> None:
        self.games[game - 1][3:] = ["finished", outcome]

    def abandon(self, game: int, why: str) -> None:
        self.games[game - 1][3:] = ["abandoned", {"why": why}]

    def reopen(self, game: int) -> None:
        self.games[game - 1][3:] = ["running", None]

    def keep_house_rule(self, game: str, name: str, value: Any) -> None:
        rules = self.rules.setdefault(game, {})
        rules[name] = value
        if value is None:
            del rules[name]

    def facts(self) -> dict[str, Any]:
        rules = {game: rules for game, rules in self.rules.items() if rules}
        return {"games": [tuple(game) for game in self.games], "events": list(self.events), "rules": rules}


def facts(history: History) -> dict[str, Any]:
    """All that a journal holds, but for its clocks and random ids."""
    games = history.games()
    rules = {name: history.house_rules(name) for name in ("siege", "duel", "race")}
    return {
        "games": [(game.id, game.name, game.terms, game.state, game.outcome) for game in games],
        "events": [
            (e.sequence, e.game, e.number, e.source, e.kind, e.body, e.answers, e.ruling) for e in history.all_events()
        ],
        "rules": {name: kept for name, kept in rules.items() if kept},
    }


def digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(to_json(facts).encode()).hexdigest()


Step = Callable[[Any], Any]


def night(steps: int, seed: int) -> Iterator[Step]:
    """A long evening: games one after another, with rolls, moves in one go with their rulings, takings back and house rules.
    Each step is done to a journal or a model, and changes it."""
    rnd = random.Random(seed)
    game = sequence = 0
    for step in range(steps):
        choice = rnd.random()
        if step % 60 == 0:
            game += 1
            yield lambda to, terms=TERMS | {"options": {"step": str(step)}}: to.start_game(terms)
        elif step % 60 == 59:
            yield lambda to, game=game, step=step: to.finish(game, {"winners": ["Red"], "step": step})
        elif choice < 0.6:
            sequence += 1
            roll = Draft("rolled", "die:AB12", {"seat": "Red", "roll": [rnd.randint(1, 6)], "step": step}, game)
            yield lambda to, roll=roll: to.append(roll)
        elif choice < 0.75:
            ruling = {"accepted": True, "said": "x" * rnd.randint(0, 1500)}
            move = Draft("moved", "phone:Ann", {"seat": "Red", "do": "go", "to": f"d{step}"}, game, sequence or None)
            told = Draft("ruled", "host", {"step": step}, game, sequence + 1, ruling)
            sequence += 2
            yield lambda to, both=(move, told): to.append_all(both)
        elif choice < 0.9:
            sequence += 1
            loose = Draft("rolled", "die:CD34", {"roll": [rnd.randint(1, 6)], "pad": "y" * rnd.randint(0, 900)})
            yield lambda to, loose=loose: to.append(loose)
        else:
            yield lambda to, step=step: to.keep_house_rule("siege", "SG-4", {"value": step})
