"""The position of Corner Race as JSON (see POSITION.md), and back; and from what somebody put on the board."""

from __future__ import annotations

from typing import Any

from companion.games.corner_race import rules
from companion.games.corner_race.state import RUNNERS, SEATS, State, ground_of, layout, pieces

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms, first_possible
from companion.layout import Layout, changes, check_pieces


def position(state: State) -> dict[str, Any]:
    way = state.ground.way
    return {
        "turn": SEATS[state.turn],
        "throw": state.throw,
        "runners": {seat: way[far] for seat, far in zip(SEATS, state.at, strict=True)},
        "gone": list(state.gone),
    }


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    known_keys("position", data, ("turn", "throw", "runners", "gone"))
    ground = ground_of(terms)
    throw, runners, gone = data.get("throw", 0), data.get("runners", {}), data.get("gone", [])
    if not isinstance(throw, int) or isinstance(throw, bool) or not 0 <= throw <= 6:
        raise BadInput(f"throw: must be 0 (to be thrown) to 6, not {brief(throw)}")
    if not isinstance(runners, dict) or not isinstance(gone, list) or len(gone) > 1:
        raise BadInput("position: runners maps seats to spaces, gone lists at most one seat")
    known_keys("runners", runners, SEATS)
    far = [ground.way.index(one_of(f"runners {seat}", runners.get(seat, ground.way[0]), ground.way)) for seat in SEATS]
    state = State(
        ground, (far[0], far[1]), SEATS.index(one_of("turn", data.get("turn", SEATS[0]), SEATS)), throw,
        tuple(one_of("gone", seat, SEATS) for seat in gone),
    )  # fmt: skip
    if far[0] == far[1] and far[0] > 0:
        raise BadInput("runners: both cannot stand on one space, save on the first (CR-08)")
    if throw and (rules.outcome(state) or not rules.targets(state)):
        raise BadInput(f"throw: {throw} cannot be moved here, so it would have been passed on (CR-07)")
    return state


def rearrange(state: State, wanted: Layout) -> State:
    if not changes(layout(state), wanted):
        return state
    terms = state.ground.terms
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    places = {standing.piece: standing.space for standing in wanted.standing}
    if missing := [runner for runner in RUNNERS.values() if runner not in places]:
        raise BadInput(f"pieces: the {missing[0].replace('-', ' ')} must stand somewhere on the board")
    kept = position(state) | {"runners": {seat: places[RUNNERS[seat]] for seat in SEATS}}
    found: State = first_possible(wanted, layout, from_position, terms, (kept, kept | {"throw": 0}))
    return found
