"""What a board and the readings fix for a whole game of Siege: the tables of the board's ways, and each reading looked up once."""

from __future__ import annotations

from functools import lru_cache

from companion.board import Board, Space
from companion.game import Terms
from companion.games.siege.tables import tables_of
from companion.games.siege.ways import Readings, is_castle, route
from companion.rulebook import ASK

MEN = 4  # Knights, and Defenders (SG-01)
RISKS = NOTHING, HIS_OWN, KNIGHTS, BOTH = range(4)  # whose pieces could be taken at a turn of the Defender
QUIET_END, NEVER = 100, 10**9  # SG-A21: fifty turns each


class Ground:
    """One board under one set of readings. A reading that is still to be asked for plays as its default."""

    def __init__(self, terms: Terms) -> None:
        readings = terms.readings
        self.terms = terms
        ways = Readings(
            leaps_back_steeply_only=readings["back_into_castle"] == "only_two_back_one_side",
            crosses_wall_straight_only=readings["castle_wall"] == "orthogonal_crossing_only",
        )
        tables = tables_of(terms.board, ways)
        self.square, self.attempts = tables.square, tables.attempts
        self.knight_rows, self.footman_rows, self.commander_rows = tables.knight_rows, tables.footman_rows, tables.commander_rows
        self.castle, self.blue, self.crowns = self.mask("castle"), self.mask("blue"), self.mask("crown")
        self.dots, self.starts = self.mask("dot"), self.mask("start")
        self.dotted = self.dots | self.starts  # SG-A15: any dot counts
        self.must_escape = readings["commander_check"] == "must_escape"
        self.own_side_only = readings["threat_test"] == "own_side_only"
        self.lifts = tuple(bool(risk & HIS_OWN) if self.own_side_only else risk != NOTHING for risk in RISKS)  # SG-48, SG-A17
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
        return sum(self.square[space.id] for space in self.terms.board.of_kind(kind))

    def ids(self, mask: int) -> list[str]:
        return [id for id in self.terms.board.spaces if mask & self.square[id]]


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
