"""What an act between two throws is: which moves come into question, what may stand against one, and what it does.

Each rule that can forbid an act is a small predicate beside its id. A move is legal when no predicate holds, and a refusal
lists all that do; so the list of legal moves and the explanations can never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from companion.events import Move
from companion.games.fighting_marines.ground import COLOUR
from companion.games.fighting_marines.state import State
from companion.ruling import Objection
from companion.words import Say, say


class Check(NamedTuple):
    """A rule that can stand against a move: the ids to cite, the question, and the key of the reason in words."""

    rules: tuple[str, ...]
    forbids: Callable[[State, Move], bool]
    key: str


class Done(NamedTuple):
    """What an act did. `touched` are the other seats whose men, captives or chips it changed."""

    state: State
    said: tuple[Say, ...]
    rules: tuple[str, ...]
    touched: tuple[str, ...] = ()


class Act(NamedTuple):
    candidates: Callable[[State, str], Iterator[Move]]  # worth checking: every legal move of the seat is among them
    checks: tuple[Check, ...]
    carry_out: Callable[[State, Move], Done]


def legal(act: Act, state: State, seat: str) -> Iterator[Move]:
    for move in act.candidates(state, seat):
        if not any(check.forbids(state, move) for check in act.checks):
            yield move


def objections(act: Act, state: State, move: Move) -> tuple[Objection, ...]:
    held = [check for check in act.checks if check.forbids(state, move)]
    if not held:
        return ()
    values = facts(state, move)
    return tuple(Objection(check.rules, say(check.key, **values)) for check in held)


def facts(state: State, move: Move) -> dict[str, Any]:
    """What the sentences about a move may mention."""
    ground = state.ground
    to = ground.index[move.to]
    return move._asdict() | {"colour": COLOUR[move.piece], "there": state.men[to], "its_colour": ground.colour_at[to]}


# --- checks that several acts share ---


def is_not_own_man(state: State, move: Move) -> bool:  # FM-18
    return state.ground.owner_of[move.piece] != move.seat


def is_not_there(state: State, move: Move) -> bool:
    return move.piece not in state.men[state.ground.index[move.start]]


NOT_YOURS = Check(("FM-18",), is_not_own_man, "not_your_man")
