"""Random games: to see that the rules hold together, how long games last, and which rules they ever touch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.events import Event, Roll
from companion.game import Game, Terms
from companion.notation import to_text
from companion.ruling import Refused

ACTS_FIRST = 0.9  # people mostly do what they may do before the next throw


def random_event(game: Game, state: Any, chance: Random) -> Event | None:
    """Something that is due, chosen by chance; None when the game is over."""
    rolls = [d for d in game.due(state) if d.what == "roll"]
    moves = game.legal_moves(state)
    if moves and (not rolls or chance.random() < ACTS_FIRST):
        return chance.choice(moves)
    if rolls:
        roll = chance.choice(rolls)
        return Roll(roll.seat, tuple(chance.randint(1, 6) for _ in roll.dice))
    return None


@dataclass
class Played:
    """One random game: its events, the last state, and the rules that shaped it."""

    state: Any
    events: list[Event] = field(default_factory=list)
    rules: Counter[str] = field(default_factory=Counter)
    finished: bool = False


def play_random(game: Game, terms: Terms, seed: int | str, most_events: int = 20_000) -> Played:
    """Play one game by chance. A listed move that is then refused is a fault of the rules, and is raised as one."""
    chance = Random(seed)
    played = Played(game.set_up(terms))
    while len(played.events) < most_events:
        event = random_event(game, played.state, chance)
        if event is None:
            played.finished = game.outcome(played.state) is not None
            if not played.finished:
                stuck = game.position(played.state)
                raise AssertionError(f"{game.name}: nobody has anything to do, and the game is not over: {stuck}")
            break
        verdict = game.rule(played.state, event)
        if isinstance(verdict, Refused):
            raise AssertionError(f"{game.name}: {event.seat}: {to_text(event)} was listed, then refused by {verdict.rules}")
        played.events.append(event)
        played.rules.update(verdict.rules)
        played.state = verdict.state
    if ended := game.outcome(played.state):
        played.rules.update(ended.rules)
    return played
