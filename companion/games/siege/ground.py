"""What a board and the readings fix for a whole game of Siege.

Squares become bits of one integer. Every objection that depends on the board alone (the shape of a leap, blue squares, the
Castle's wall) is a small named function, evaluated once for each pair of squares into tables of candidate moves; whatever
passes is a `Candidate`, and the rules only ask whether somebody stands in its way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from companion.board import Board, Space
from companion.events import Move
from companion.game import Terms
from companion.ruling import Objection
from companion.words import say

ATTACKER, DEFENDER = "attacker", "defender"
KNIGHT, FOOTMAN, COMMANDER = "knight", "defender", "commander"
MEN = 4  # Knights, and Defenders (SG-01)


class Candidate(NamedTuple):
    """A move that the board allows. `bit` is where it ends, `over` the squares that must be empty on the way."""

    bit: int
    over: int
    slanted: bool
    move: Move
    rules: tuple[str, ...]


def steps(start: Space, end: Space) -> tuple[int, int]:
    """Columns sideways and rows forward (towards the rear of the Castle) from one square to another."""
    return end.number("column") - start.number("column"), end.number("row") - start.number("row")


def is_castle(space: Space) -> bool:
    return "castle" in space.kinds


# --- objections that depend on the board alone: does the rule forbid going from start to end? ---


def is_no_leap(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-11, SG-12
    return sorted(map(abs, steps(start, end))) != [1, 2]


def leaves_castle(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-17
    return is_castle(start) and not is_castle(end)


def leaps_back(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-13, SG-14, SG-15
    return steps(start, end)[1] < 0 and not is_castle(start) and not is_castle(end)


def leaps_back_too_flat(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-A04
    if readings["back_into_castle"] == "all" or is_castle(start) or not is_castle(end):
        return False
    return steps(start, end)[1] == -1


def steps_too_far(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-20
    return max(map(abs, steps(start, end))) != 1


def steps_on_blue(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-22
    return "blue" in end.kinds


def crosses_wall_slanted(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-A13
    if readings["castle_wall"] == "open" or is_castle(start) == is_castle(end):
        return False
    return 0 not in steps(start, end)


def leaves_headquarters(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-25
    return not is_castle(end)


def is_crown_step(start: Space, end: Space) -> bool:  # SG-29
    return "crown" in start.kinds and "crown" in end.kinds and start is not end


def is_no_diagonal(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-26
    across, along = map(abs, steps(start, end))
    return (across != along or across == 0) and not is_crown_step(start, end)


def goes_too_far(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-27
    across, along = map(abs, steps(start, end))
    return across == along and across > 3


def leaves_castle_between(board: Board, readings: dict[str, str], start: Space, end: Space) -> bool:  # SG-25
    """On a Castle that is not a rectangle a diagonal may cross the outside."""
    return any(not is_castle(s) for s in between(board, start, end))


BoardObjection = tuple[tuple[str, ...], Callable[[Board, dict[str, str], Space, Space], bool], str]
OBJECTIONS: dict[str, tuple[BoardObjection, ...]] = {
    KNIGHT: (
        (("SG-11", "SG-12"), is_no_leap, "no_leap"),
        (("SG-17",), leaves_castle, "leaves_castle"),
        (("SG-13", "SG-15"), leaps_back, "leaps_back"),
        (("SG-A04",), leaps_back_too_flat, "leaps_back_too_flat"),
    ),
    FOOTMAN: (
        (("SG-20",), steps_too_far, "steps_too_far"),
        (("SG-22",), steps_on_blue, "steps_on_blue"),
        (("SG-A13",), crosses_wall_slanted, "crosses_wall_slanted"),
    ),
    COMMANDER: (
        (("SG-25",), leaves_headquarters, "leaves_headquarters"),
        (("SG-26", "SG-29"), is_no_diagonal, "no_diagonal"),
        (("SG-27",), goes_too_far, "goes_too_far"),
        (("SG-25",), leaves_castle_between, "leaves_castle_between"),
    ),
}


def between(board: Board, start: Space, end: Space) -> list[Space]:
    """The squares passed on a straight or diagonal line; none where there is no such line."""
    across, along = steps(start, end)
    far = max(abs(across), abs(along))
    if far < 2 or (across and along and abs(across) != abs(along)):
        return []
    column, row = start.number("column"), start.number("row")
    passed = [board.at(column + across * i // far, row + along * i // far) for i in range(1, far)]
    return [space for space in passed if space]


def shaping_rules(kind: str, start: Space, end: Space) -> tuple[str, ...]:
    """The rules that make a legal move what it is, for the record and for rule coverage."""
    across, along = steps(start, end)
    if kind == KNIGHT:
        rules = ["SG-16", "SG-18", "SG-19", "SG-11" if abs(along) == 2 else "SG-12"]
        if along < 0:
            rules.append("SG-14" if is_castle(start) else "SG-15")
        return tuple(rules)
    if kind == FOOTMAN:
        return ("SG-20", "SG-21", "SG-24") + (("SG-23",) if is_castle(start) != is_castle(end) else ())
    return ("SG-25", "SG-29") if across and not along else ("SG-25", "SG-26", "SG-27")


class Ground:
    """The tables of one board under one set of readings."""

    def __init__(self, terms: Terms) -> None:
        board, readings = terms.board, terms.readings
        self.terms = terms
        self.readings = readings
        self.spaces = tuple(board.spaces.values())
        self.index = {space.id: i for i, space in enumerate(self.spaces)}
        self.castle = self.mask("castle")
        self.blue = self.mask("blue")
        self.dots = self.mask("dot")
        self.dotted = self.dots | self.mask("start")  # SG-A15: any dot counts
        self.starts = self.mask("start")
        self.crowns = self.mask("crown")
        self.candidates: dict[str, tuple[tuple[Candidate, ...], ...]] = {}
        self.by_move: dict[Move, Candidate] = {}
        self.forbidden: dict[Move, tuple[Objection, ...]] = {}
        for seat, kind in ((ATTACKER, KNIGHT), (DEFENDER, FOOTMAN), (DEFENDER, COMMANDER)):
            self.candidates[kind] = tuple(self._from(seat, kind, start) for start in self.spaces)
        self.knight_moves = self.candidates[KNIGHT]
        self.footman_moves = self.candidates[FOOTMAN]
        self.commander_moves = self.candidates[COMMANDER]
        self.knight_reach = tuple(sum(c.bit for c in row) for row in self.knight_moves)
        self.footman_strikes = tuple(sum(c.bit for c in row if c.slanted) for row in self.footman_moves)
        # What depends on a reading is looked up once.
        self.must_escape = readings["commander_check"] == "must_escape"
        self.own_side_only = readings["threat_test"] == "own_side_only"
        self.lifted_for_good = readings["special_exempt"] == "from_then_on"
        self.exempt_counts = readings["exempt_counts"] == "yes"
        self.exempt_commander = readings["exempt_commander"] == "yes"
        self.four_different = readings["special_men"] == "four_different"
        self.no_move = readings["no_move"]
        self.draw = readings["draw"]

    def mask(self, kind: str) -> int:
        return sum(1 << i for i, space in enumerate(self.spaces) if kind in space.kinds)

    def ids(self, mask: int) -> list[str]:
        return [space.id for i, space in enumerate(self.spaces) if mask >> i & 1]

    def _from(self, seat: str, kind: str, start: Space) -> tuple[Candidate, ...]:
        found = []
        for end in self.spaces:
            if end is start:
                continue
            move = Move(seat, "move", kind, start.id, end.id)
            held = tuple(
                Objection(rules, say(key, start=start.id, end=end.id))
                for rules, forbids, key in OBJECTIONS[kind]
                if forbids(self.terms.board, self.readings, start, end)
            )
            if held:
                self.forbidden[move] = held
                continue
            passed = 0 if kind == KNIGHT else sum(1 << self.index[s.id] for s in between(self.terms.board, start, end))
            slanted = 0 not in steps(start, end)
            candidate = Candidate(1 << self.index[end.id], passed, slanted, move, shaping_rules(kind, start, end))
            self.by_move[move] = candidate
            found.append(candidate)
        return tuple(found)


@lru_cache(maxsize=64)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)


def board_problems(board: Board) -> list[str]:
    """What Siege misses on a board, in words for whoever maps one."""
    problems = []
    for space in board.spaces.values():
        if not {"column", "row"} <= space.facts.keys():
            problems.append(f"{space.id} needs a column and a row")
        if len({"green", "blue", "castle"} & space.kinds) != 1:
            problems.append(f"{space.id} must be exactly one of green, blue or castle")
    for kind, count, name in (("start", MEN, "Knights' squares with black dots"), ("dot", MEN, "dotted Castle squares"),
                              ("crown", 2, "Crown squares")):  # fmt: skip
        have = len(board.of_kind(kind))
        if have != count:
            problems.append(f"Siege needs {count} {name} (kind '{kind}'), and this board has {have}")
    problems += [
        f"{s.id} has a dot or a Crown but is not in the Castle"
        for kind in ("dot", "crown")
        for s in board.of_kind(kind)
        if not is_castle(s)
    ]
    problems += [f"{s.id} is a Knights' square and must be green" for s in board.of_kind("start") if "green" not in s.kinds]
    crowns = board.of_kind("crown")
    if not problems and len(crowns) == 2 and tuple(map(abs, steps(*crowns))) != (1, 0):
        problems.append("the two Crown squares must be neighbours in one row")
    return problems
