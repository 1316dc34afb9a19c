"""A table to try things at: positions in a word or two, and moves as one would say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import Board
from companion.events import Event
from companion.games.siege import GAME
from companion.games.siege.state import State
from companion.notation import from_text
from companion.ruling import Accepted, Refused, Verdict

SEAT_OF = {"knight": "attacker", "defender": "defender", "commander": "defender"}


def start(commander: str = "d6", board: Board | None = None, **readings: str) -> State:
    """The first position, with the Commander placed."""
    return after(GAME.set_up(GAME.terms(board=board, readings=readings)), f"defender: place commander > {commander}")


def table(
    knights: str = "", defenders: str = "", commander: str = "d6", turn: str = "attacker",
    readings: Mapping[str, str] | None = None, board: Board | None = None, **fields: Any,
) -> State:  # fmt: skip
    """A position in the middle of a game; `fields` are further fields of a position."""
    position = {"to_move": turn, "knights": knights.split(), "defenders": defenders.split(), "commander": commander, **fields}
    state: State = GAME.from_position(GAME.terms(board=board, readings=readings), position)
    return state


def event(state: State, text: str) -> Event:
    """'knight c0 > d2' is a move of whoever owns that piece; 'defender: pass' names the seat."""
    seat, colon, act = text.partition(": ")
    if not colon:
        seat, act = SEAT_OF[text.split()[0]], f"move {text}"
    return from_text(act, seat, GAME.forms(state.ground.terms))


def tried(state: State, text: str) -> Verdict:
    return GAME.rule(state, event(state, text))


def accepted(state: State, text: str) -> Accepted:
    verdict = tried(state, text)
    assert isinstance(verdict, Accepted), f"{text}: {verdict}"
    return verdict


def after(state: State, *texts: str) -> State:
    """The state after these moves, all of them accepted."""
    for text in texts:
        state = accepted(state, text).state
    return state


def refused_by(state: State, text: str) -> set[str]:
    """The rules that refuse it."""
    verdict = tried(state, text)
    assert isinstance(verdict, Refused), f"{text} was accepted"
    assert all(len(GAME.words.tell(objection.why)) > 5 for objection in verdict.objections)
    return set(verdict.rules)


def is_legal(state: State, text: str) -> bool:
    """Legal by the ruling and in the list; the two never differ."""
    legal = isinstance(tried(state, text), Accepted)
    assert legal == (event(state, text) in GAME.legal_moves(state)), text
    return legal


def ends(state: State, piece: str, square: str) -> set[str]:
    """Where a piece may go from a square."""
    return {m.to for m in GAME.legal_moves(state) if m.do == "move" and m.piece == piece and m.start == square}


def said(verdict: Accepted) -> list[str]:
    return [GAME.words.tell(what) for what in verdict.said]


def stands(state: State, piece: str) -> set[str]:
    return {s.space for s in GAME.layout(state).standing if s.piece == piece}


def winners(state: State) -> tuple[str, ...] | None:
    """None while the game goes on."""
    ended = GAME.outcome(state)
    assert bool(ended) != bool(GAME.due(state))
    return ended.winners if ended else None
