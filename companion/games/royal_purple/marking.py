"""Dominion Markers: which stops may be marked, until when, and what a mark wins (RP-30 to RP-34, RP-41 to RP-47)."""

from __future__ import annotations

from companion.events import Move
from companion.games.royal_purple.go_squares import is_shared
from companion.games.royal_purple.ground import NOBLES_NEEDED
from companion.games.royal_purple.state import (
    State,
    Stop,
    accepted,
    frozen,
    has_support,
    joined,
    markers_left,
    markers_of,
    support,
    without,
)
from companion.games.royal_purple.stepping import Mover, is_foreign_castle
from companion.ruling import Accepted, Objection
from companion.words import say


def marker_name(state: State, colour: str) -> str:
    """The piece field of a mark: only a player with two colours has to say which (RP-04, RP-49)."""
    return state.ground.marker[colour] if state.ground.is_pair else ""


def marker_colour(state: State, move: Move) -> str:
    return move.piece.removesuffix("-marker") if state.ground.is_pair else move.seat


# --- the squares on which a piece stopped ---


def stops_to_mark(m: Mover, passed: str, route: tuple[str, ...]) -> tuple[Stop, ...]:
    """The stops of a move that may be marked. `m` is the piece as it was before the move."""
    if m.ground.is_children:  # RP-59
        return ()
    wanted = [square for square in (_passed_to_mark(m, passed), *route) if square and takes_marker(m, square)]
    sent_to = route[1:]
    return tuple(Stop(m.colour, square) for square in dict.fromkeys(wanted) if square not in sent_to or _sent_may_mark(m, square))


def _passed_to_mark(m: Mover, passed: str) -> str:  # RP-A04
    return passed if passed and m.ground.readings["passed_square"] == "marked" and not is_shared(m, passed) else ""


def takes_marker(m: Mover, square: str) -> bool:
    """Does this square take a marker of this piece at all?"""
    readings = m.ground.readings
    if square in m.markers:  # RP-34: no second marker; RP-38: never over another's
        return False
    if square in m.ground.castle_owner:  # RP-A26
        return readings["mark_castle"] == "yes" and not is_foreign_castle(m, square)
    if square in m.ground.throne_side:  # RP-A22; only one reading of RP-A20 ever marks a Throne
        return readings["early_throne"] == "ordinary_square_marked" and m.ground.is_own_throne(m.colour, square)
    return True


def _sent_may_mark(m: Mover, square: str) -> bool:
    """RP-36: the square sent to is marked as well, but not a shared one (RP-38), nor by a reading a Noble (RP-A07)."""
    return not is_shared(m, square) and not (square in m.ground.nobles and m.ground.readings["go_noble_counts"] == "no")


# --- may this square be marked now? ---


def mark_objections(state: State, colour: str, square: str) -> list[Objection]:
    if Stop(colour, square) not in state.stops:
        return [_no_stop_objection(state, colour, square)]
    held = []
    if is_sixth_noble(state, colour, square):
        held.append(Objection(("RP-43",), say("sixth_noble", square=square)))
    if has_no_marker(state, colour):
        held.append(Objection(("RP-02", "RP-A27"), say("no_marker_left")))
    if any(place == square for other, place in state.places.items() if other != colour):
        held.append(Objection(("RP-38",), say("shared_square", square=square)))
    return held


def is_sixth_noble(state: State, colour: str, square: str) -> bool:  # RP-43, RP-A08
    return square in state.ground.nobles and has_support(state, colour)


def has_no_marker(state: State, colour: str) -> bool:  # RP-A27
    return state.ground.readings["markers_out"] != "lift_own_oldest" and markers_left(state, colour) <= 0


def _no_stop_objection(state: State, colour: str, square: str) -> Objection:
    """Why a square is not among those that may be marked: the most telling reason."""
    ground, holder = state.ground, state.markers.get(square)
    if ground.is_children:
        return Objection(("RP-59",), say("children_no_markers"))
    if holder == colour:
        return Objection(("RP-34",), say("marked_already", square=square))
    if holder is not None:
        return Objection(("RP-33", "RP-38"), say("marked_by_other", square=square, holder=ground.owner[holder]))
    if square in ground.castle_owner:
        return Objection(("RP-A26",), say("castle_unmarked", square=square))
    if square in ground.throne_side:
        return Objection(("RP-A22",), say("throne_unmarked", square=square))
    if state.places.get(colour) != square:
        return Objection(("RP-30",), say("not_stopped_there", square=square))
    if any(place == square for other, place in state.places.items() if other != colour):
        return Objection(("RP-38",), say("shared_square", square=square))
    if square in ground.nobles and ground.readings["go_noble_counts"] == "no":
        return Objection(("RP-32", "RP-A07"), say("sent_noble", square=square))
    return Objection(("RP-32", "RP-A28"), say("too_late", square=square))


def marks(state: State) -> list[Move]:
    """Every mark that may still be made."""
    ground = state.ground
    return [
        Move(ground.owner[colour], "mark", marker_name(state, colour), to=stop.square)
        for colour in ground.colours
        for stop in state.stops
        if stop.colour == colour and not mark_objections(state, colour, stop.square)
    ]


# --- putting markers down ---


def put_marker(state: State, colour: str, square: str) -> Accepted:
    ground = state.ground
    had_support = has_support(state, colour)
    said, rules = [], ["RP-30", "RP-33", "RP-04"]
    if markers_left(state, colour) <= 0:
        lifted = _oldest_to_lift(state, colour)
        state = state._replace(markers=without(state.markers, (lifted,)))
        said.append(say("lifts_oldest", seat=ground.owner[colour], square=lifted))
        rules.append("RP-A27")
    state = state._replace(
        markers=frozen({**state.markers, square: colour}), stops=tuple(stop for stop in state.stops if stop.square != square)
    )
    done = accepted(state, *said, rules=rules)
    if square in ground.nobles:
        return joined(done, _support_gained(state, colour))
    return joined(done, accepted(state, rules=("RP-44",))) if had_support else done


def _support_gained(state: State, colour: str) -> Accepted:  # RP-09, RP-41, RP-47
    nobles = support(state, colour)
    rules = ["RP-09", "RP-41", "RP-47"]
    said = [say("noble", piece=state.ground.name[colour], count=nobles)]
    if nobles == NOBLES_NEEDED:  # RP-42, RP-46: now he needs the Throne
        rules += ["RP-42", "RP-46", *(["RP-56"] if state.ground.variant == "two_handed" else [])]
        said = [say("five_nobles", piece=state.ground.name[colour])]
    return accepted(state, *said, rules=rules)


def _oldest_to_lift(state: State, colour: str) -> str:
    """Support is never lost (RP-47): a marker on a Noble square stays."""
    return next(square for square in markers_of(state, colour) if square not in state.ground.nobles)


def mark_all(state: State) -> Accepted:
    """The companion marks for the players (RP-A29)."""
    done = accepted(state, rules=("RP-A29",))
    while todo := marks(done.state):
        done = joined(done, put_marker(done.state, marker_colour(done.state, todo[0]), todo[0].to))
    return joined(done, accepted(done.state._replace(stops=())))


# --- the deadline ---


def close_marking(state: State) -> Accepted:
    """What was not marked in time stays unmarked, and nobody is punished (RP-31, RP-32)."""
    forgotten = marks(state)
    closed = state._replace(stops=())
    if not forgotten:
        return accepted(closed)
    squares = tuple(dict.fromkeys(move.to for move in forgotten))
    return accepted(closed, say("forgot", seat=forgotten[0].seat, squares=squares), rules=("RP-31", "RP-32", "RP-A28"))
