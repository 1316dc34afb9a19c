"""The tables of Siege: what a board allows every piece, worked out once.

Squares become bits of one integer. What `ways` says of each pair of squares is kept: an `Attempt` for each piece that is sent
from one to another, and a `Row` of open ways for each square. The rules then only ask who stands where. All of it depends on
the board and on two readings, so tables that play by other readings share it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from companion.board import Board, Space
from companion.events import Move
from companion.games.siege.ways import (
    COMMANDER,
    FOOTMAN,
    KNIGHT,
    Readings,
    is_castle,
    is_slanted,
    objections_of_board,
    route,
    shaping_rules,
)
from companion.ruling import Objection, Refused
from companion.words import say

ATTACKER, DEFENDER = SEATS = ("attacker", "defender")
OWNERS = {KNIGHT: 0, FOOTMAN: 1, COMMANDER: 1}  # which of SEATS moves them
CAPTURE_RULES = {KNIGHT: ("SG-41", "SG-32", "SG-33"), FOOTMAN: ("SG-41", "SG-34", "SG-35"), COMMANDER: ("SG-41", "SG-38")}
CROWN_STEP_CAPTURE_RULES = ("SG-41", "SG-39")

make = tuple.__new__  # fills the fields of a NamedTuple in their order, in half the time of its own constructor


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A piece sent from one square to another, wherever that is: all that can be known of it before looking who stands where."""

    move: Move
    kind: str
    side: int  # 0 the Attacker's, 1 the Defender's
    start: int  # where it begins and where it ends, as bits
    end: int
    both: int  # those two
    over: int  # squares that must be empty on the way
    path: int  # those and the end
    strike: int  # the end again, if an enemy may be taken there; 0 if not
    can_be_undone: bool  # a Knight outside the Castle never comes back to where he was (SG-13, SG-17)
    rules: tuple[str, ...]  # that make it what it is
    capture_rules: tuple[str, ...]  # the same, if it takes an enemy
    refused: Refused | None  # what the board says against it


class Row(dict[int, list[Move]]):
    """What the board allows one kind of piece from one square. As a dict: its moves, by the squares within reach that are closed.

    The moves for each set of closed squares are found once, then remembered.
    """

    __slots__ = ("attempts", "contact", "free", "hidden", "reach", "square", "straight", "strikes", "struck_from")

    def __init__(self, square: int, attempts: list[Attempt], struck_from: int = 0) -> None:
        super().__init__()
        self.square = square
        self.attempts = attempts
        self.reach = sum(a.end for a in attempts)
        self.strikes = sum(a.strike for a in attempts)  # where an enemy may be taken
        self.straight = self.reach ^ self.strikes  # where he may not
        self.free = self[0]  # the moves when nobody is near
        self.hidden = Hidden(attempts)
        self.struck_from = struck_from  # of a Knight's row: the squares from which a Defender could take him
        self.contact = self.reach | struck_from

    def __missing__(self, closed: int) -> list[Move]:
        self[closed] = moves = [a.move for a in self.attempts if not a.end & closed]
        return moves


class Hidden(dict[int, int]):
    """The squares that a piece cannot get to because somebody is on the way (SG-28), by the occupied squares within its reach."""

    __slots__ = ("attempts",)

    def __init__(self, attempts: list[Attempt]) -> None:
        super().__init__()
        self.attempts = attempts

    def __missing__(self, occupied: int) -> int:
        self[occupied] = hidden = sum(a.end for a in self.attempts if a.over & occupied)
        return hidden


NO_ROW = Row(0, [])
Rows = tuple[Row, ...]  # of one kind of piece; each at the bit length of its square, so that a set of men is quickly gone through


class Attempts(dict[object, Attempt]):
    """Every attempt by its move: those that the board allows from the start, the others once somebody tries them."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.tables = tables

    def __missing__(self, event: object) -> Attempt | None:
        """None for whatever is not a seat's own kind of piece sent from a square to a square."""
        if not isinstance(event, Move) or event.do != "move" or SEATS[OWNERS[event.piece]] != event.seat:
            return None
        self[event] = attempt = self.tables.attempt(event)
        return attempt


class Tables:
    """What one board allows under the readings that are about ways."""

    def __init__(self, board: Board, readings: Readings) -> None:
        self.board, self.readings = board, readings
        # Sets are gone through from the highest bit down, and that is the board's order.
        self.square = {id: 1 << i for i, id in enumerate(reversed(list(board.spaces)))}
        self.attempts = Attempts(self)
        self.footman_rows, self.commander_rows = self._rows(FOOTMAN), self._rows(COMMANDER)
        self.knight_rows = self._rows(KNIGHT)

    def attempt(self, move: Move) -> Attempt:
        kind, spaces = move.piece, self.board.spaces
        way = route(self.board, spaces[move.start], spaces[move.to])
        held = objections_of_board(kind, way, self.readings)
        start, end = self.square[move.start], self.square[move.to]
        over = 0 if held or kind == KNIGHT else sum(self.square[s.id] for s in way.passed if s)  # SG-18, SG-28
        rules = () if held else shaping_rules(kind, way)
        return Attempt(
            move=move,
            kind=kind,
            side=OWNERS[kind],
            start=start,
            end=end,
            both=start | end,
            over=over,
            path=end | over if over else end,
            strike=end if not held and (kind != FOOTMAN or is_slanted(way)) else 0,  # SG-32, SG-34, SG-38
            can_be_undone=kind != KNIGHT or is_castle(way.start),
            rules=rules,
            capture_rules=rules + (CROWN_STEP_CAPTURE_RULES if "SG-29" in rules else CAPTURE_RULES[kind]),
            refused=Refused(held) if held else None,
        )

    def _rows(self, kind: str) -> Rows:
        return (NO_ROW, *(self._row(kind, self.board.spaces[id], square) for id, square in self.square.items()))

    def _row(self, kind: str, start: Space, square: int) -> Row:
        return Row(square, self._allowed(kind, start), self._struck_from(square) if kind == KNIGHT else 0)

    def _allowed(self, kind: str, start: Space) -> list[Attempt]:
        """What the board allows from one square. No piece goes further than three squares (SG-11, SG-20, SG-27)."""
        allowed = []
        for end in nearby(self.board, start, 3):
            attempt = self.attempt(Move(SEATS[OWNERS[kind]], "move", kind, start.id, end.id))
            if attempt.refused is None:
                self.attempts[attempt.move] = attempt
                allowed.append(attempt)
        return allowed

    def _struck_from(self, square: int) -> int:
        """The squares from which a Defender could take a Knight on this one."""
        return sum(row.square for row in self.footman_rows if row.strikes & square)


@lru_cache(maxsize=32)
def tables_of(board: Board, readings: Readings) -> Tables:
    return Tables(board, readings)


def nearby(board: Board, space: Space, far: int) -> list[Space]:
    """The squares of the board that are at most so many columns and rows away, front row first."""
    column, row = space.number("column"), space.number("row")
    around = range(-far, far + 1)
    found = (board.at(column + across, row + along) for along in around for across in around)
    return [other for other in found if other]


# --- asking the tables ---


def knight_moves(rows: Rows, knights: int) -> list[Move]:
    """Every leap of these Knights to a square where none of them stands: nobody else is in their way (SG-10, SG-18, SG-32)."""
    moves: list[Move] = []
    left = knights
    while left:
        row = rows[left.bit_length()]
        left ^= row.square
        closed = row.reach & knights
        moves += row[closed] if closed else row.free
    return moves


def footman_moves(rows: Rows, men: int, closed: int, knights: int) -> list[Move]:
    """Every move of these Defenders to a square that is not closed. Knights are taken on a slant only (SG-34); nobody has to (SG-40)."""
    moves: list[Move] = []
    while men:
        row = rows[men.bit_length()]
        men ^= row.square
        near = row.reach & closed | row.straight & knights
        moves += row[near] if near else row.free
    return moves


def commander_moves(rows: Rows, commander: int, occupied: int, closed: int) -> list[Move]:
    """Every move of the Commander to a square that is not closed, with nobody on the way (SG-28, SG-38)."""
    row = rows[commander.bit_length()]
    return row[row.reach & (row.hidden[row.reach & occupied] | closed)]


def rows_of(rows: Rows, men: int) -> list[Row]:
    """The rows of these men."""
    return [row for row in rows if row.square & men]


@cache
def objection(rules: tuple[str, ...], key: str, square: str) -> Objection:
    """An objection that has to do with one square. Equal ones are made once."""
    return Objection(rules, say(key, square=square))
