"""Royal Purple as somebody put it on the board: the same throw is played, as far as the pieces allow that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.game import Terms, first_possible
from companion.games.royal_purple.ground import MARKERS, ground_of
from companion.games.royal_purple.position import from_position, position
from companion.games.royal_purple.rules import layout
from companion.games.royal_purple.state import DEAD, State
from companion.layout import Layout, Supply, changes, check_pieces


def pieces(terms: Terms) -> tuple[Supply, ...]:  # RP-02
    ground = ground_of(terms)
    markers = () if ground.is_children else tuple(Supply(ground.marker[colour], MARKERS) for colour in ground.colours)
    return (*(Supply(ground.name[colour], 1) for colour in ground.colours), *markers)


def rearrange(state: State, wanted: Layout) -> State:
    """A Prince who is missing is out of the game (RP-24). Whoever was put elsewhere may mark where he stands now (RP-32)."""
    if not changes(layout(state), wanted):
        return state
    terms = state.ground.terms
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    was = position(state)
    princes = _princes(state, wanted)
    kept = was | {"princes": princes, "markers": _markers(state, wanted), "out": _out(state, princes)}
    kept["throw"] = {colour: number for colour, number in was["throw"].items() if colour not in kept["out"]}
    kept["ended"] = "" if was["ended"] == DEAD else was["ended"]  # whether it is dead shows by itself
    found: State = first_possible(wanted, layout, from_position, terms, _ways_to_keep(state, kept))
    return found


def _princes(state: State, wanted: Layout) -> dict[str, str]:
    colour_of = {name: colour for colour, name in state.ground.name.items()}
    return {colour_of[s.piece]: s.space for s in wanted.standing if s.piece in colour_of}


def _markers(state: State, wanted: Layout) -> dict[str, list[str]]:
    """In the order of marking; those that are new lie there last."""
    age = {square: number for number, square in enumerate(state.markers)}
    squares = {colour: [s.space for s in wanted.standing if s.piece == state.ground.marker[colour]] for colour in state.ground.colours}
    return {colour: sorted(there, key=lambda square: age.get(square, len(age))) for colour, there in squares.items()}


def _out(state: State, princes: dict[str, str]) -> list[str]:
    """By a reading a piece that is out stays on the board (RP-A31), so only what was taken off or put back tells."""
    back = {colour for colour in princes if colour not in state.places}
    taken = [colour for colour in state.places if colour not in princes and colour not in state.out]
    return [colour for colour in state.out if colour not in back] + taken


def _ways_to_keep(state: State, kept: dict[str, Any]) -> Iterator[dict[str, Any]]:
    stops = {
        colour: [_stop_now(state, kept["princes"], colour, square) for square in squares] for colour, squares in kept["may_mark"].items()
    }
    standing = {colour: squares for colour, squares in stops.items() if state.places.get(colour) == kept["princes"].get(colour)}
    for may_mark in (stops, standing, {}):
        yield kept | {"may_mark": may_mark}
    yield kept | {"may_mark": {}, "throw": {}}
    if state.roll_off:  # it comes before anybody moves (RP-11, RP-12)
        yield kept | {"roll_off": None, "turn_of": state.roll_off.waiting[0]}


def _stop_now(state: State, princes: dict[str, str], colour: str, square: str) -> str:
    return princes.get(colour, square) if state.places.get(colour) == square else square
