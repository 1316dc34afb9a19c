"""Short ways to set up and play Kop the Kaiser in tests.

From New York the first blue space to the right is S01 and the last one on the left S48. To the right of New York sits Boston,
then Philadelphia, Baltimore, Norfolk and Charleston, which is at New York's left. Eight blue spaces lie between two ports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board import Board
from companion.events import Event, Move, Roll
from companion.games.kop_the_kaiser import GAME
from companion.games.kop_the_kaiser.state import State
from companion.ruling import Accepted, Refused

NEW_YORK, BOSTON, PHILADELPHIA = "new-york", "boston", "philadelphia"
BALTIMORE, NORFOLK, CHARLESTON = "baltimore", "norfolk", "charleston"
INFANTRY, ARTILLERY = "infantry", "artillery"  # of New York, and of Charleston when everybody plays
ADVANCE, RETREAT = "advance", "retreat"
NAMES = {seat: seat.title().replace("-", "") for seat in GAME.seats}


def port(seat: str) -> str:
    return f"PORT-{NAMES[seat]}"


def pink(seat: str, division: int) -> str:
    return f"{NAMES[seat]}-{division}"


def dice(total: int) -> tuple[int, int]:
    return total // 2, total - total // 2


def beginning(
    *seats: str,
    first: str = NEW_YORK,
    readings: Mapping[str, str] | None = None,
    board: Board | None = None,
    options: Mapping[str, str] | None = None,
) -> State:
    """The first initial roll of a game is due from `first`. Everybody plays unless seats are named."""
    state: State = GAME.set_up(GAME.terms(seats=seats or GAME.seats, readings=readings, board=board, options=options))
    while state.roll_off:
        seat = GAME.due(state)[0].seat
        state = accepted(state, Roll(seat, (6, 6) if seat == first else (1, 1))).state
    return state


def standing(
    places: Mapping[str, Any],
    first: str = NEW_YORK,
    readings: Mapping[str, str] | None = None,
    board: Board | None = None,
    **fields: Any,
) -> State:
    """A game in which these seats' armies stand there: a space with ADVANCE up, `(space, face)` or "vanquished"."""
    terms = GAME.terms(seats=tuple(places), readings=readings, board=board)
    empty = GAME.set_up(terms)
    armies = {empty.ground.army[seat]: as_json(place) for seat, place in places.items()}
    state: State = GAME.from_position(terms, {"armies": armies, "dice": first, **fields})
    return state


def as_json(place: Any) -> Any:
    if place == "vanquished":
        return place
    space, face = (place, ADVANCE) if isinstance(place, str) else place
    return {"space": space, "face": face}


def accepted(state: State, event: Event) -> Accepted:
    verdict = GAME.rule(state, event)
    assert isinstance(verdict, Accepted), f"{event} was refused: {verdict}"
    return verdict


def refused(state: State, event: Event) -> Refused:
    verdict = GAME.rule(state, event)
    assert isinstance(verdict, Refused), f"{event} was accepted"
    return verdict


def reasons(verdict: Refused) -> str:
    return " ".join(GAME.words.tell(objection.why) for objection in verdict.objections)


def told(verdict: Accepted) -> list[str]:
    return [GAME.words.tell(said) for said in verdict.said]


def roll(state: State, total: int) -> State:
    """The player who has the dice rolls; the counters are not moved yet."""
    return accepted(state, Roll(state.dice, dice(total))).state  # type: ignore[no-any-return]


def carry_out(state: State) -> State:
    """Everybody moves his counter as the throw demands."""
    while moves := GAME.legal_moves(state):
        state = accepted(state, moves[0]).state
    return state


def play(state: State, *totals: int) -> State:
    """Roll each total in turn, and move what has to be moved."""
    for total in totals:
        state = carry_out(roll(state, total))
    return state


def where(state: State, seat: str) -> tuple[str, str] | None:
    """The space of a seat's army and the face that is up; None: it is off the board."""
    army = state.ground.army[seat]
    return next(((s.space, s.face) for s in GAME.layout(state).standing if s.piece == army), None)


def orders(state: State) -> dict[str, tuple[str, str]]:
    """Where each army that is owed a move has to go."""
    return {move.seat: (move.to, move.detail) for move in GAME.legal_moves(state)}


def move(state: State, seat: str, to: str, face: str = ADVANCE, start: str = "") -> Move:
    """An attempt to move a seat's own counter there."""
    return Move(seat, "move", state.ground.army[seat], start or state.space(seat), to, face)


def surrender(state: State, seat: str) -> Move:
    return Move(seat, "surrender", state.ground.army[seat], state.space(seat))
