"""Short ways to set up and play The Royal Game, in the words of its leaflet.

Red's road runs from T00 (his entering circle) to T63, then red-1 to red-7 and Home. Green enters on T17, Yellow on T34, Blue
on T51. Small circles lie on T00, T07, T12 and every 17 spaces further on. A move is written "T05 > T09"; "enter", "pass", "begin"
and "out T40 > red-start" stand for themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import Board
from companion.events import Move, Roll
from companion.games.royal_game import GAME
from companion.games.royal_game.state import State
from companion.ruling import Accepted, Refused

ONE, TWO = "one_die", "two_dice"
FOUR = ("red", "blue", "yellow", "green")
COUPLE = ("red", "yellow")


def scene(
    variant: str = ONE,
    *,
    turn: str = "red",
    seats: tuple[str, ...] = FOUR,
    readings: Mapping[str, str] | None = None,
    board: Board | None = None,
    red: str = "",
    blue: str = "",
    yellow: str = "",
    green: str = "",
    **fields: Any,
) -> State:
    """A game in which these discs stand there; the others wait in their start circles."""
    discs = {"red": red, "blue": blue, "yellow": yellow, "green": green}
    position = {"turn": turn, "discs": {seat: spaces.split() for seat, spaces in discs.items() if seat in seats}} | fields
    state: State = GAME.from_position(GAME.terms(variant, seats, board, readings), position)
    return state


def couple(variant: str = ONE, **fields: Any) -> State:
    """The same with Red and Yellow alone."""
    return scene(variant, seats=COUPLE, **fields)


def opening(variant: str = ONE, *, seats: tuple[str, ...] = FOUR, readings: Mapping[str, str] | None = None) -> State:
    """A new game: who begins is still open."""
    state: State = GAME.set_up(GAME.terms(variant, seats, readings=readings))
    return state


def begun(variant: str = ONE, *, first: str = "red", readings: Mapping[str, str] | None = None) -> State:
    """A new game in which `first` has just won the throw for the first turn."""
    state: State = GAME.set_up(GAME.terms(variant, readings=readings))
    best, other = ((1, 1), (6, 5)) if variant == TWO else ((6,), (1,))
    for seat in FOUR:
        state = accepted(state, Roll(seat, best if seat == first else other)).state
    return state


def accepted(state: State, event: Roll | Move) -> Accepted:
    verdict = GAME.rule(state, event)
    assert isinstance(verdict, Accepted), [GAME.words.tell(o.why) for o in verdict.objections]
    return verdict


def throwing(state: State, *dice: int) -> Accepted:
    """The verdict on the throw that is due."""
    return accepted(state, Roll(GAME.due(state)[0].seat, dice))


def thrown(state: State, *dice: int) -> State:
    after: State = throwing(state, *dice).state
    return after


def the_move(state: State, text: str, seat: str = "") -> Move:
    """The move that a short text means, of the seat that is due unless another is named."""
    seat = seat or GAME.due(state)[0].seat
    road = next(road for road in state.ground.roads if road.seat == seat)
    if text == "enter":
        return road.enter.move
    if text in ("pass", "begin"):
        return Move(seat, text)
    start, to = text.removeprefix("out ").split(" > ")
    return Move(seat, "out" if text.startswith("out ") else "move", road.piece, start, to)


def moving(state: State, text: str, seat: str = "") -> Accepted:
    """The verdict on a move that must be legal."""
    return accepted(state, the_move(state, text, seat))


def moved(state: State, *texts: str) -> State:
    """The state after these moves, one after the other."""
    for text in texts:
        state = moving(state, text).state
    return state


def refused(state: State, text: str, seat: str = "") -> Refused:
    """The refusal of a move that must not be legal; every reason can be told."""
    verdict = GAME.rule(state, the_move(state, text, seat))
    assert isinstance(verdict, Refused), text
    assert all(GAME.words.tell(objection.why) for objection in verdict.objections)
    return verdict


def legal(state: State) -> set[str]:
    """All legal moves, as short texts."""
    return {_short(move) for move in GAME.legal_moves(state)}


def _short(move: Move) -> str:
    if move.do in ("enter", "pass", "begin"):
        return move.do
    return f"{'out ' if move.do == 'out' else ''}{move.start} > {move.to}"


def says(verdict: Accepted) -> list[str]:
    return [GAME.words.tell(said) for said in verdict.said]


def on(state: State, seat: str) -> list[str]:
    """Where the discs of a seat stand."""
    found: list[str] = GAME.position(state)["discs"][seat]
    return found


def score(state: State, seat: str) -> int:
    points: int = GAME.position(state)["scores"][seat]
    return points


def asked(state: State) -> list[tuple[str, str]]:
    return [(due.seat, due.what) for due in GAME.due(state)]


def open_numbers(state: State) -> list[int]:
    """The numbers of the throw that may still be moved."""
    numbers: list[int] = GAME.position(state)["throw"]["open"]
    return numbers


def winners(state: State) -> tuple[str, ...]:
    ended = GAME.outcome(state)
    assert ended, "the game goes on"
    return ended.winners
