"""A table for the tests: a position in a few words, events as the lines that people write."""

from __future__ import annotations

from typing import Any

from companion.games.royal_purple import GAME
from companion.games.royal_purple.state import State
from companion.notation import from_text, to_text
from companion.ruling import Accepted, Refused, Verdict
from tests.games.royal_purple.boards import board

CASTLE = {"red": "a1", "blue": "a11", "yellow": "k11", "green": "k1"}
FIVE = {  # five Nobles for each colour, out of everybody's way
    "red": ["c3", "e3", "d2", "b4", "c5"],
    "blue": ["c9", "e9", "d10", "b8", "c7"],
    "yellow": ["i9", "g9", "h10", "j8", "i7"],
    "green": ["i3", "g3", "h2", "j4", "i5"],
}


def new_game(variant: str = "four_handed", seats: Any = (), layout: dict[str, Any] | None = None, **readings: str) -> State:
    """The set-up, before the throw for the first turn."""
    terms = GAME.terms(variant, seats, board(layout) if layout else None, readings)
    state: State = GAME.set_up(terms)
    return state


def at(
    turn_of: str,
    princes: dict[str, str] | None = None,
    *,
    variant: str = "four_handed",
    seats: Any = (),
    layout: dict[str, Any] | None = None,
    readings: dict[str, str] | None = None,
    **fields: Any,
) -> State:
    """A position; pieces that are not named stand in their Castles."""
    terms = GAME.terms(variant, seats, board(layout) if layout else None, readings or {})
    ground = GAME.set_up(terms).ground
    places = {colour: ground.castle[colour] for colour in ground.colours if colour not in fields.get("out", ())} | (princes or {})
    state: State = GAME.from_position(terms, {"turn_of": turn_of, "princes": places, **fields})
    return state


def ruling(state: State, line: str) -> Verdict:
    """The verdict on a line such as 'red: roll 4'."""
    seat, _, text = line.partition(":")
    return GAME.rule(state, from_text(text.strip(), seat, GAME.forms(state.ground.terms)))


def after(state: State, *lines: str) -> State:
    """The state after these events, all of which must be accepted."""
    for line in lines:
        verdict = ruling(state, line)
        assert isinstance(verdict, Accepted), f"{line}: {[GAME.words.tell(o.why) for o in verdict.objections]}"
        state = verdict.state
    return state


def accepted(state: State, line: str) -> Accepted:
    verdict = ruling(state, line)
    assert isinstance(verdict, Accepted), f"{line}: {verdict.objections}"
    return verdict


def against(state: State, line: str) -> set[str]:
    """The rules that refuse a line."""
    verdict = ruling(state, line)
    assert isinstance(verdict, Refused), f"{line} was accepted"
    return set(verdict.rules)


def said(state: State, line: str) -> list[str]:
    return [GAME.words.tell(what) for what in accepted(state, line).said]


def legal(state: State, do: str = "move") -> list[str]:
    """The legal moves of a kind, without their seats."""
    return [to_text(move) for move in GAME.legal_moves(state) if move.do == do]


def ends(state: State, piece: str = "") -> set[str]:
    """The squares on which a step may end, a following '+' for going on from a Go square."""
    return {
        move.to + ("+" if move.detail else "")
        for move in GAME.legal_moves(state)
        if move.do == "move" and piece in ("", move.piece)
    }


def due(state: State) -> list[str]:
    return [f"{d.seat} {d.what}" + (" optional" if d.optional else "") for d in GAME.due(state)]


def position(state: State) -> dict[str, Any]:
    return GAME.position(state)


def winners(state: State) -> tuple[str, ...] | None:
    """Who won; empty for an undecided end, None while the game goes on."""
    outcome = GAME.outcome(state)
    return outcome.winners if outcome else None
