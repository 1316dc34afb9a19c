"""A position of Royal Purple as JSON, for files, disputes and bug reports. Its fields are described in `POSITION.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.events import BadInput, brief, known_keys, one_of
from companion.game import Terms
from companion.games.royal_purple.ground import MARKERS, NOBLES_NEEDED, Ground, ground_of
from companion.games.royal_purple.marking import takes_marker
from companion.games.royal_purple.state import (
    DEAD,
    LEFT,
    State,
    Stop,
    accepted,
    frozen,
    in_play,
    markers_of,
    may_sit,
    support,
)
from companion.games.royal_purple.stepping import mover
from companion.games.royal_purple.turn import settle
from companion.roll_off import RollOff

FIELDS = ("turn_of", "throw", "princes", "markers", "may_mark", "out", "roll_off", "gone", "ended", "turns")
MOST_TURNS = 10**6


def position(state: State) -> dict[str, Any]:
    ground, roll_off = state.ground, state.roll_off
    return {
        "turn_of": state.turn,
        "throw": dict(state.throw),
        "princes": {colour: state.places[colour] for colour in ground.colours if colour in state.places},
        "markers": {colour: markers_of(state, colour) for colour in ground.colours},
        "may_mark": {
            colour: squares
            for colour in ground.colours
            if (squares := [stop.square for stop in state.stops if stop.colour == colour])
        },
        "out": list(state.out),
        "roll_off": {"waiting": list(roll_off.waiting), "thrown": dict(roll_off.thrown)} if roll_off else None,
        "gone": list(state.gone),
        "ended": state.ended,
        "turns": state.turns,
    }


def from_position(terms: Terms, data: dict[str, Any]) -> State:
    """The state that a position describes, with all that follows from it by itself (a lost play, a piece shut in)."""
    known_keys("position", data, FIELDS)
    ground = ground_of(terms)
    roll_off = _roll_off(ground, data.get("roll_off"))
    turn = "" if roll_off else one_of("turn_of", data.get("turn_of"), ground.seats)
    state = State(
        ground,
        places=_princes(ground, data.get("princes")),
        markers=_markers(ground, data.get("markers", {})),
        turn=turn,
        throw=_throw(ground, turn, data.get("throw", {})),
        stops=_stops(ground, data.get("may_mark", {})),
        out=_listed("out", data.get("out", []), ground.colours),
        roll_off=roll_off,
        gone=_listed("gone", data.get("gone", []), ground.seats),
        ended=one_of("ended", data.get("ended", ""), ("", LEFT, DEAD)),
        turns=_whole("turns", data.get("turns", 0), MOST_TURNS),
    )
    for check in (_check_pieces, _check_markers, _check_squares, _check_dice, _check_stops, _check_roll_off):
        check(state)
    settled: State = settle(accepted(state)).state
    return settled


# --- reading the fields ---


def _mapping(field: str, value: object, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{field}: must be an object, not {brief(value)}")
    for key in value:
        one_of(field, key, keys)
    return value


def _listed(field: str, value: object, allowed: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadInput(f"{field}: must be a list, not {brief(value)}")
    names = tuple(one_of(field, name, allowed) for name in value[: len(allowed) + 1])
    if len(set(names)) != len(names):
        raise BadInput(f"{field}: names somebody twice")
    return names


def _squares(ground: Ground, field: str, value: object) -> list[str]:
    if not isinstance(value, list):
        raise BadInput(f"{field}: must be a list of squares, not {brief(value)}")
    return [one_of(field, square, ground.board.spaces) for square in value]


def _whole(field: str, value: object, most: int, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadInput(f"{field}: must be a whole number from {least} to {most}, not {brief(value)}")
    return value


def _princes(ground: Ground, value: object) -> Mapping[str, str]:
    given = _mapping("princes", value, ground.colours)
    return frozen({colour: one_of(f"princes {colour}", square, ground.board.spaces) for colour, square in given.items()})


def _markers(ground: Ground, value: object) -> Mapping[str, str]:
    marked: dict[str, str] = {}
    for colour, listed in _mapping("markers", value, ground.colours).items():
        squares = _squares(ground, f"markers {colour}", listed)
        if len(squares) > MARKERS:
            raise BadInput(f"markers {colour}: there are only {MARKERS} of each colour, not {len(squares)} (RP-02)")
        for square in squares:
            if square in marked:
                raise BadInput(f"markers: {square} has two markers; a square takes only one (RP-26, RP-34)")
            marked[square] = colour
    return frozen(marked)


def _throw(ground: Ground, turn: str, value: object) -> tuple[tuple[str, int], ...]:
    if not turn:
        if value not in ({}, None):
            raise BadInput("throw: while roll_off goes on, nobody moves yet (RP-11)")
        return ()
    given = _mapping("throw", value, ground.pieces[turn])
    return tuple((colour, _whole(f"throw {colour}", given[colour], 6, 1)) for colour in ground.pieces[turn] if colour in given)


def _stops(ground: Ground, value: object) -> tuple[Stop, ...]:
    given = _mapping("may_mark", value, ground.colours)
    stops = tuple(Stop(colour, square) for colour in given for square in _squares(ground, f"may_mark {colour}", given[colour]))
    if len(set(stops)) != len(stops):
        raise BadInput("may_mark: a square is named twice")
    return stops


def _roll_off(ground: Ground, value: object) -> RollOff | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise BadInput(f"roll_off: must be an object with waiting and thrown, not {brief(value)}")
    known_keys("roll_off", value, ("waiting", "thrown"))
    waiting = _listed("roll_off waiting", value.get("waiting"), ground.seats)
    given = _mapping("roll_off thrown", value.get("thrown", {}), ground.seats)
    highest, lowest = 6 * len(ground.dice), len(ground.dice)
    thrown = tuple((seat, _whole(f"roll_off thrown {seat}", total, highest, lowest)) for seat, total in given.items())
    if not waiting or set(waiting) & given.keys():
        raise BadInput("roll_off: somebody must still be waiting to throw, and nobody throws twice (RP-11)")
    return RollOff(waiting, thrown)


# --- what cannot be ---


def _check_pieces(state: State) -> None:
    for colour in state.ground.colours:
        is_gone = colour in state.out or state.ground.owner[colour] in state.gone
        if colour not in state.places and not is_gone:
            raise BadInput(f"princes: {colour} is missing; a piece that is out of the game is named in 'out' (RP-24)")


def _check_markers(state: State) -> None:
    ground = state.ground
    if state.markers and ground.is_children:
        raise BadInput("markers: the children's game has none (RP-59)")
    for square, colour in state.markers.items():
        castle = ground.castle_owner.get(square)
        if castle and castle != colour:
            raise BadInput(f"markers {colour}: {square} is the Castle of {castle}, which {colour} never enters (RP-28)")
        if castle and ground.readings["mark_castle"] == "no":
            raise BadInput(f"markers {colour}: a Castle such as {square} is not marked (RP-A26)")
        if square in ground.throne_side and not _may_mark_throne(ground, colour, square):
            raise BadInput(f"markers {colour}: a Throne such as {square} is never marked (RP-A22)")
    for colour in ground.colours:
        if (nobles := support(state, colour)) > NOBLES_NEEDED:
            raise BadInput(f"markers {colour}: {nobles} Nobles are marked, and nobody marks more than five (RP-43)")


def _may_mark_throne(ground: Ground, colour: str, square: str) -> bool:
    return ground.readings["early_throne"] == "ordinary_square_marked" and ground.is_own_throne(colour, square)


def _check_squares(state: State) -> None:
    for colour, square in state.places.items():
        if reason := _place_problem(state, colour, square):
            raise BadInput(f"princes {colour}: {reason}")


def _place_problem(state: State, colour: str, square: str) -> str:
    ground = state.ground
    readings, sent_there = ground.readings, square in ground.go.values()
    castle, holder = ground.castle_owner.get(square, colour), state.markers.get(square, colour)
    if castle != colour and not (sent_there and readings["go_into_castle"] == "allowed"):
        return f"{square} is the Castle of {castle}, which nobody else enters (RP-28)"
    if holder not in ground.realm(colour) and not sent_there:
        return f"{square} has a marker of {holder}, and no Go square sends there (RP-26, RP-38)"
    if square in ground.throne_side and not ground.is_own_throne(colour, square) and readings["foreign_throne"] == "barred":
        return f"{square} is the Throne of the other side (RP-A21)"
    if square in ground.throne[colour] and readings["early_throne"] == "barred" and not _once_might_sit(state, colour):
        return f"{square} is the Throne, which nobody enters before he has five Nobles (RP-A20)"
    others = [other for other, place in state.places.items() if other != colour and place == square]
    if others and not sent_there and not _may_share(ground, colour, others, square):
        return f"{others[0]} stands on {square} as well, and no Go square sends there (RP-25, RP-38)"
    return ""


def _once_might_sit(state: State, colour: str) -> bool:
    """A piece whose partner is out may have sat down while his Nobles still counted."""
    partners = state.ground.pieces[state.ground.owner[colour]]
    return may_sit(state, colour) or any(partner in state.out for partner in partners)


def _may_share(ground: Ground, colour: str, others: list[str], square: str) -> bool:
    if ground.is_children and ground.readings["child_share"] == "yes":  # RP-A48
        return True
    partners = ground.pieces[ground.owner[colour]]
    return ground.is_own_throne(colour, square) and all(other in partners for other in others)  # RP-A44


def _check_dice(state: State) -> None:
    for colour, _ in state.throw:
        if colour in state.out or state.turn in state.gone:
            raise BadInput(f"throw {colour}: this piece is out of the game and has no die to play (RP-24)")


def _check_stops(state: State) -> None:
    if len({state.ground.owner[stop.colour] for stop in state.stops}) > 1:
        raise BadInput("may_mark: only the player who moved last may still mark (RP-32)")
    for stop in state.stops:
        if state.ground.is_children:
            raise BadInput("may_mark: the children's game has no markers (RP-59)")
        if stop.colour not in in_play(state, state.ground.owner[stop.colour]):
            raise BadInput(f"may_mark {stop.colour}: this piece is out of the game")
        if stop.square in state.markers:
            raise BadInput(f"may_mark {stop.colour}: {stop.square} is marked already (RP-34)")
        if not takes_marker(mover(state, stop.colour), stop.square):
            raise BadInput(f"may_mark {stop.colour}: {stop.square} is a Castle or Throne that is not marked (RP-A22, RP-A26)")


def _check_roll_off(state: State) -> None:
    if not state.roll_off:
        return
    moved = [colour for colour, square in state.places.items() if square != state.ground.castle[colour]]
    if set(state.roll_off.waiting) & set(state.gone):
        raise BadInput("roll_off: a player who has left does not throw")
    if moved or state.markers or state.stops:
        raise BadInput("roll_off: the throw for the first turn comes before anybody moves (RP-11, RP-12)")
