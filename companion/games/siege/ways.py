"""What the board alone says of a piece that goes from one square to another: a small named function for each rule.

Each is asked once for each pair of squares; `tables` keeps the answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.board import Board, Space
from companion.ruling import Objection
from companion.words import say

KNIGHT, FOOTMAN, COMMANDER = "knight", "defender", "commander"


class Route(NamedTuple):
    """From one square to another: columns sideways, rows forward (towards the rear of the Castle, SG-04, SG-A28)."""

    start: Space
    end: Space
    across: int
    along: int
    passed: tuple[Space | None, ...]  # squares between, on a straight line or a diagonal; None where the board has none


def route(board: Board, start: Space, end: Space) -> Route:
    column, row = start.number("column"), start.number("row")
    across, along = end.number("column") - column, end.number("row") - row
    far = max(abs(across), abs(along))
    on_line = across == 0 or along == 0 or abs(across) == abs(along)
    squares = range(1, far) if on_line else ()
    return Route(start, end, across, along, tuple(board.at(column + across * i // far, row + along * i // far) for i in squares))


def is_castle(space: Space | None) -> bool:
    return space is not None and "castle" in space.kinds


# --- rules that depend on the board alone: does the rule forbid this route? ---


class Readings(NamedTuple):
    """What a table may have decided about ways."""

    leaps_back_steeply_only: bool  # SG-A04
    crosses_wall_straight_only: bool  # SG-A13


def stands_still(way: Route, readings: Readings) -> bool:  # SG-09
    return way.start is way.end


def is_no_leap(way: Route, readings: Readings) -> bool:  # SG-11, SG-12; only where he lands matters (SG-A03)
    return {abs(way.across), abs(way.along)} != {1, 2}


def leaves_castle(way: Route, readings: Readings) -> bool:  # SG-17, not even to capture (SG-A05)
    return is_castle(way.start) and not is_castle(way.end)


def leaps_back(way: Route, readings: Readings) -> bool:  # SG-13, SG-14, SG-15
    return way.along < 0 and not is_castle(way.start) and not is_castle(way.end)


def leaps_back_too_flat(way: Route, readings: Readings) -> bool:  # SG-A04
    enters = is_castle(way.end) and not is_castle(way.start)
    return enters and way.along == -1 and readings.leaps_back_steeply_only


def steps_too_far(way: Route, readings: Readings) -> bool:  # SG-20
    return max(abs(way.across), abs(way.along)) > 1


def steps_on_blue(way: Route, readings: Readings) -> bool:  # SG-22; green and Castle squares are all open (SG-21)
    return "blue" in way.end.kinds


def crosses_wall_slanted(way: Route, readings: Readings) -> bool:  # SG-A13
    crosses = is_castle(way.start) != is_castle(way.end)
    return crosses and is_slanted(way) and readings.crosses_wall_straight_only


def goes_outside(way: Route, readings: Readings) -> bool:  # SG-25
    return not is_castle(way.end)


def passes_outside(way: Route, readings: Readings) -> bool:  # SG-25, in a Castle that is no rectangle
    return is_diagonal(way) and not all(map(is_castle, way.passed)) and is_castle(way.end)


def is_off_diagonal(way: Route, readings: Readings) -> bool:  # SG-26
    return not is_diagonal(way) and not is_crown_step(way)


def goes_too_far(way: Route, readings: Readings) -> bool:  # SG-27
    return is_diagonal(way) and abs(way.along) > 3


def is_slanted(way: Route) -> bool:
    return way.across != 0 and way.along != 0


def is_diagonal(way: Route) -> bool:  # any of the four (SG-A10)
    return abs(way.across) == abs(way.along)


def is_crown_step(way: Route) -> bool:  # SG-29
    return "crown" in way.start.kinds and "crown" in way.end.kinds


Forbids = Callable[[Route, Readings], bool]
OBJECTIONS: dict[str, tuple[tuple[tuple[str, ...], Forbids], ...]] = {
    KNIGHT: (
        (("SG-11", "SG-12"), is_no_leap),
        (("SG-17",), leaves_castle),
        (("SG-13", "SG-15"), leaps_back),
        (("SG-A04",), leaps_back_too_flat),
    ),
    FOOTMAN: (
        (("SG-20",), steps_too_far),
        (("SG-22",), steps_on_blue),
        (("SG-A13",), crosses_wall_slanted),
    ),
    COMMANDER: (
        (("SG-25",), goes_outside),
        (("SG-25",), passes_outside),
        (("SG-26", "SG-29"), is_off_diagonal),
        (("SG-27",), goes_too_far),
    ),
}
STANDING_STILL = ((("SG-09",), stands_still),)


def objections_of_board(kind: str, way: Route, readings: Readings) -> tuple[Objection, ...]:
    """Whatever the board alone says against a piece of this kind going this way. Each reason is worded under the rule's name."""
    asked = STANDING_STILL if way.start is way.end else OBJECTIONS[kind]
    return tuple(
        Objection(rules, say(forbids.__name__, start=way.start.id, end=way.end.id))
        for rules, forbids in asked
        if forbids(way, readings)
    )


def shaping_rules(kind: str, way: Route) -> tuple[str, ...]:
    """The rules that make a legal move what it is, for the record and for rule coverage."""
    rules = ["SG-09", "SG-30"]
    if kind == KNIGHT:
        rules += ["SG-16", "SG-18", "SG-19", "SG-11" if abs(way.along) == 2 else "SG-12"]
        if way.along < 0:
            rules.append("SG-14" if is_castle(way.start) else "SG-15")
        elif not is_castle(way.start):
            rules += ["SG-04", "SG-13"]
    elif kind == FOOTMAN:
        rules += ["SG-20", "SG-21", "SG-24"]
        if is_castle(way.start) != is_castle(way.end):
            rules.append("SG-23")
    elif is_crown_step(way):
        rules += ["SG-25", "SG-29"]
    else:
        rules += ["SG-25", "SG-26", "SG-27"] + ["SG-28"] * bool(way.passed)
    return tuple(rules)
