"""What a board and the readings fix for a whole game of Siege.

Squares become bits of one integer. Every rule that depends on the board alone (the shape of a leap, blue squares, the Castle's
wall) is a small named function, asked once for each pair of squares. What it says is kept: an `Attempt` for each piece and
pair of squares, and a `Row` of open ways for each square. The rules then only ask who stands where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from companion.board import Board, Space
from companion.events import Move
from companion.game import Terms
from companion.rulebook import ASK
from companion.ruling import Objection, Refused
from companion.words import say

ATTACKER, DEFENDER = SEATS = ("attacker", "defender")
KNIGHT, FOOTMAN, COMMANDER = "knight", "defender", "commander"
MEN = 4  # Knights, and Defenders (SG-01)
QUIET_END, NEVER = 100, 10**9  # SG-A21: fifty turns each
OWNERS = {KNIGHT: 0, FOOTMAN: 1, COMMANDER: 1}  # which of SEATS moves them

make = tuple.__new__  # fills the fields of a NamedTuple in their order, in half the time of its own constructor


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

Readings = Mapping[str, str]


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
    return enters and way.along == -1 and readings["back_into_castle"] == "only_two_back_one_side"


def steps_too_far(way: Route, readings: Readings) -> bool:  # SG-20
    return max(abs(way.across), abs(way.along)) > 1


def steps_on_blue(way: Route, readings: Readings) -> bool:  # SG-22; green and Castle squares are all open (SG-21)
    return "blue" in way.end.kinds


def crosses_wall_slanted(way: Route, readings: Readings) -> bool:  # SG-A13
    crosses = is_castle(way.start) != is_castle(way.end)
    return crosses and is_slanted(way) and readings["castle_wall"] == "orthogonal_crossing_only"


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


@cache
def objection(rules: tuple[str, ...], key: str, square: str) -> Objection:
    """An objection that has to do with one square. Equal ones are made once."""
    return Objection(rules, say(key, square=square))


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


# --- the tables ---


@dataclass(frozen=True, slots=True)
class Attempt:
    """A piece sent from one square to another, wherever that is: all that can be known of it before looking who stands where."""

    move: Move
    kind: str
    side: int  # 0 the Attacker's, 1 the Defender's
    start: int  # where it begins and where it ends, as bits
    end: int
    over: int  # squares that must be empty on the way
    path: int  # those and the end
    strike: int  # the end again, if an enemy may be taken there; 0 if not
    rules: tuple[str, ...]
    refused: Refused | None  # what the board says against it


class Row:
    """The attempts of one kind of piece from one square that the board allows."""

    def __init__(self, attempts: list[Attempt]) -> None:
        self.attempts = attempts
        self.reach = sum(a.end for a in attempts)
        self.strikes = sum(a.strike for a in attempts)
        self.free = [a.move for a in attempts]  # the moves when nobody stands within reach
        self.known: dict[tuple[int, int], list[Move]] = {}  # and when somebody does: found once, then remembered

    def moves(self, near: tuple[int, int]) -> list[Move]:
        """The moves when these squares within reach are occupied, and these of them by enemies."""
        occupied, enemies = near
        self.known[near] = [
            a.move
            for a in self.attempts
            if not a.path & occupied or (a.strike & enemies and not a.over & occupied)  # SG-10, SG-28, SG-34
        ]
        return self.known[near]


class Attempts(dict[object, Attempt]):
    """Every attempt by its move: those that the board allows from the start, the others once somebody tries them."""

    def __init__(self, ground: Ground) -> None:
        super().__init__()
        self.ground = ground

    def __missing__(self, event: object) -> Attempt | None:
        """None for whatever is not a seat's own kind of piece sent from a square to a square."""
        if not isinstance(event, Move) or event.do != "move" or SEATS[OWNERS[event.piece]] != event.seat:
            return None
        self[event] = attempt = self.ground.attempt(event)
        return attempt


class Ground:
    """The tables of one board under one set of readings. A reading that is still to be asked for plays as its default."""

    def __init__(self, terms: Terms) -> None:
        readings = terms.readings
        self.terms = terms
        self.spaces = tuple(terms.board.spaces.values())
        self.square = {space.id: 1 << i for i, space in enumerate(self.spaces)}
        self.castle, self.blue, self.crowns = self.mask("castle"), self.mask("blue"), self.mask("crown")
        self.dots, self.starts = self.mask("dot"), self.mask("start")
        self.dotted = self.dots | self.starts  # SG-A15: any dot counts
        self.attempts = Attempts(self)
        self.knight_rows, self.footman_rows, self.commander_rows = map(self._rows, (KNIGHT, FOOTMAN, COMMANDER))
        self.knight_reach = {square: row.reach for square, row in self.knight_rows.items()}
        self.struck_from = {square: self._struck_from(square) for square in self.footman_rows}
        # What depends on a reading is looked up once.
        self.must_escape = readings["commander_check"] == "must_escape"
        self.own_side_only = readings["threat_test"] == "own_side_only"
        self.lifted_for_good = readings["special_exempt"] == "from_then_on"
        # A rule that is lifted for good cannot be put off: its turns run on.
        self.exempt_turns_count = readings["exempt_counts"] != "no" or self.lifted_for_good
        self.commander_exempt = readings["exempt_commander"] != "no"
        self.any_man_on_a_dot = readings["special_men"] == "any_on_dot"
        self.no_move = readings["no_move"]
        self.no_move_ends = self.no_move in ("loses", "draw")
        self.draw = "threefold_or_50" if readings["draw"] == ASK else readings["draw"]
        self.three_times_draws = self.draw in ("threefold_or_50", "threefold")
        self.siege_can_be_lifted = self.draw == "siege_lifted"
        self.quiet_turns_draw = QUIET_END if self.draw == "threefold_or_50" else NEVER
        self.readings_may_end = self.no_move_ends or self.siege_can_be_lifted

    def mask(self, kind: str) -> int:
        return sum(self.square[space.id] for space in self.spaces if kind in space.kinds)

    def ids(self, mask: int) -> list[str]:
        return [id for id, square in self.square.items() if mask & square]

    def attempt(self, move: Move) -> Attempt:
        board, kind = self.terms.board, move.piece
        way = route(board, board.spaces[move.start], board.spaces[move.to])
        held = objections_of_board(kind, way, self.terms.readings)
        start, end = self.square[move.start], self.square[move.to]
        over = 0 if held or kind == KNIGHT else sum(self.square[s.id] for s in way.passed if s)  # SG-18, SG-28
        strike = end if kind != FOOTMAN or is_slanted(way) else 0  # SG-32, SG-34, SG-38
        rules = () if held else shaping_rules(kind, way)
        return Attempt(move, kind, OWNERS[kind], start, end, over, end | over, strike, rules, Refused(held) if held else None)

    def _rows(self, kind: str) -> dict[int, Row]:
        return {self.square[start.id]: Row(self._allowed(kind, start)) for start in self.spaces}

    def _allowed(self, kind: str, start: Space) -> list[Attempt]:
        """What the board allows from one square. No piece goes further than three squares (SG-11, SG-20, SG-27)."""
        allowed = []
        for end in nearby(self.terms.board, start, 3):
            attempt = self.attempt(Move(SEATS[OWNERS[kind]], "move", kind, start.id, end.id))
            if attempt.refused is None:
                self.attempts[attempt.move] = attempt
                allowed.append(attempt)
        return allowed

    def _struck_from(self, square: int) -> int:
        """The squares from which a Defender could take a Knight on this one."""
        return sum(start for start, row in self.footman_rows.items() if row.strikes & square)


def nearby(board: Board, space: Space, far: int) -> list[Space]:
    """The squares of the board that are at most so many columns and rows away, front row first."""
    column, row = space.number("column"), space.number("row")
    around = range(-far, far + 1)
    found = (board.at(column + across, row + along) for along in around for across in around)
    return [other for other in found if other]


def open_moves(rows: dict[int, Row], men: int, occupied: int, enemies: int) -> list[Move]:
    """Every move of these men to a square that is not occupied, or on which they may take an enemy. Nobody has to (SG-40)."""
    moves: list[Move] = []
    while men:
        man = men & -men
        men ^= man
        row = rows[man]
        reach = row.reach
        if reach & occupied:
            near = reach & occupied, reach & enemies
            moves += row.known.get(near) or row.moves(near)
        else:
            moves += row.free
    return moves


def bits(mask: int) -> list[int]:
    """The single squares of a set, each as a bit."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit)
    return found


@lru_cache(maxsize=64)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)


# --- what Siege needs of a board ---


def board_problems(board: Board) -> list[str]:
    """What Siege misses on a board, in words for whoever maps one."""
    spaces = board.spaces.values()
    problems = [f"{s.id} needs a column and a row, as whole numbers" for s in spaces if not _is_on_grid(s)]
    problems += [
        f"{s.id} must be exactly one of green, blue or castle" for s in spaces if len({"green", "blue", "castle"} & s.kinds) != 1
    ]
    for kind, count, name in (
        ("start", MEN, "Knights' squares with black dots"), ("dot", MEN, "dotted Castle squares"), ("crown", 2, "Crown squares"),
    ):  # fmt: skip
        have = len(board.of_kind(kind))
        if have != count:
            problems.append(f"Siege needs {count} {name} (kind '{kind}'), and this board has {have}")
    for kind in ("dot", "crown"):
        problems += [f"{s.id} has a dot or a Crown but is not in the Castle" for s in board.of_kind(kind) if not is_castle(s)]
    problems += [f"{s.id} is a Knights' square and must be green" for s in board.of_kind("start") if "green" not in s.kinds]
    problems += [f"{s.id} is a Crown square and cannot have a dot too" for s in board.of_kind("crown") if "dot" in s.kinds]
    return problems or _problems_of_place(board)


def _is_on_grid(space: Space) -> bool:
    return all(isinstance(space.facts.get(fact), int) for fact in ("column", "row"))


def _problems_of_place(board: Board) -> list[str]:
    """What is wrong with where the squares lie, once each of them is what it should be."""
    problems, taken = [], dict[tuple[int, int], str]()
    for space in board.spaces.values():
        other = taken.setdefault((space.number("column"), space.number("row")), space.id)
        if other != space.id:
            problems.append(f"{space.id} and {other} have the same column and row")
    left, right = board.of_kind("crown")
    between = route(board, left, right)
    if (abs(between.across), between.along) != (1, 0):
        problems.append("the two Crown squares must be neighbours in one row")
    front = min(s.number("row") for s in board.of_kind("castle"))
    problems += [
        f"{s.id} is a Knights' square and must lie in front of the Castle: rows are counted from the Attacker"
        for s in board.of_kind("start")
        if s.number("row") >= front
    ]
    return problems
