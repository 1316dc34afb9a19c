"""Each seat's road: its spaces in order from its entering circle to Home, and every step a disc can make on it.

A disc's place is its *progress* on that road: OUT while it waits in the start circle, 0 on the entering circle, and so on up to
Home. Sets of spaces are the bits of one integer, so "is there a blockade on the way?" is a single `&`. All of it depends on the
board alone and is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from companion.board import Board, Space
from companion.events import Move

SEATS = ("red", "blue", "yellow", "green")  # clockwise
OUT = -1
MOST = 24  # spaces in one step: two sixes that move 12 each, as one


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a move does: from which progress to which, and the spaces it leaves, passes over and ends on, as bits."""

    move: Move
    at: int
    end: int
    leaves: int
    over: int
    bit: int
    path: int  # over and bit together
    ends: int  # leaves and bit together
    rules: tuple[str, ...]  # that make it what it is; why a disc goes out depends on the throw


Row = tuple[Step | None, ...]  # the step of so many spaces from every place


class Road:
    """One seat's road on one board."""

    def __init__(self, board: Board, seat: str) -> None:
        index = {id: number for number, id in enumerate(board.spaces)}
        way = list(follow(board, seat))
        self.seat = seat
        self.piece = f"{seat}-disc"
        self.start = owned(board, "start", seat)[0].id
        self.spaces = tuple(space.id for space in way)
        self.home = len(way) - 1
        self.progress = {self.start: OUT} | {id: number for number, id in enumerate(self.spaces)}
        # Discs in the start circle (the last entry, progress -1) and at Home stand in nobody's way.
        self.bits = (*(1 << index[id] for id in self.spaces[:-1]), 0, 0)
        self.place_at = {bit: place for place, bit in enumerate(self.bits) if bit}
        self.safe = sum(1 << index[space.id] for space in board.of_kind("safe"))  # for all roads alike
        self.lane = sum(1 << index[space.id] for space in way if "lane" in space.kinds)
        self.foot = max(number for number, space in enumerate(way) if "road" in space.kinds)
        self.enter = self._step(OUT, 0, "enter", ("RG-05", "RG-14"))
        self.steps = tuple(self._row(count) for count in range(MOST + 1))
        self.outs = tuple(self._step(place, OUT, "out", ()) for place in range(self.home))
        self.pass_ = Move(seat, "pass")
        self.begin = Move(seat, "begin")

    def id(self, progress: int) -> str:
        """The space of a disc with that progress."""
        return self.start if progress == OUT else self.spaces[progress]

    def _row(self, count: int) -> Row:
        """The step of so many spaces from every place; none past Home (RG-13), none from Home or the start circle."""
        fits = range(self.home - count + 1) if count else range(0)
        row = [self._step(place, place + count, "move", self._shaping(place + count)) for place in fits]
        return (*row, *[None] * (self.home + 2 - len(row)))

    def _step(self, at: int, end: int, do: str, rules: tuple[str, ...]) -> Step:
        move = Move(self.seat, do, self.piece, self.id(at), self.id(end))
        leaves, bit = self.bits[at], self.bits[end]
        over = sum(self.bits[at + 1 : end]) if 0 <= at < end else 0
        return Step(move, at, end, leaves, over, bit, over | bit, leaves | bit, rules)

    def all_steps(self) -> list[Step]:
        return [self.enter, *self.outs, *(step for row in self.steps for step in row if step)]

    def _shaping(self, end: int) -> tuple[str, ...]:
        """The rules that make a step to this place what it is."""
        return shaping_rules(end > self.foot, end == self.home, bool(self.bits[end] & self.safe))


@cache
def shaping_rules(in_lane: bool, home: bool, safe: bool) -> tuple[str, ...]:
    """Equal ones are made once: there are thousands of steps."""
    return ("RG-07", "RG-09", "RG-11", "RG-12", *("RG-08",) * in_lane, *("RG-13",) * home, *("RG-14",) * safe)


class Roads(NamedTuple):
    """All roads of one board, and what every move on them does."""

    of_seat: dict[str, Road]
    steps: dict[Move, Step]


@lru_cache(maxsize=16)
def roads_of(board: Board) -> Roads:
    of_seat = {seat: Road(board, seat) for seat in SEATS}
    return Roads(of_seat, {step.move: step for road in of_seat.values() for step in road.all_steps()})


# --- reading a board ---


def owned(board: Board, kind: str, seat: str) -> list[Space]:
    return [space for space in board.of_kind(kind) if space.facts.get("owner") == seat]


def follow(board: Board, seat: str) -> Iterator[Space]:
    """The spaces from a seat's entering circle to Home: along `next`, and off the road where `lane-<seat>` leads."""
    space: Space | None = owned(board, "entering", seat)[0]
    seen: set[str] = set()
    while space and space.id not in seen:
        seen.add(space.id)
        yield space
        space = board.spaces.get(space.links.get(f"lane-{seat}") or space.links.get("next", ""))


def board_problems(board: Board) -> list[str]:
    """What The Royal Game misses on a board, in words for whoever maps one."""
    problems = [
        f"The Royal Game needs one {name} for {seat} (kind '{kind}', fact owner {seat}), and this board has {have}"
        for seat in SEATS
        for kind, name in (("start", "start circle"), ("entering", "entering circle"))
        if (have := len(owned(board, kind, seat))) != 1
    ]
    if len(board.of_kind("home")) != 1:
        problems.append(f"The Royal Game needs one Home (kind 'home'), and this board has {len(board.of_kind('home'))}")
    problems += [
        f"{space.id} is an entering circle, so it must be on the road and safe as well"
        for space in board.of_kind("entering")
        if not {"road", "safe"} <= space.kinds
    ]
    problems += [
        f"{space.id} must be exactly one of road, lane, start or home"
        for space in board.spaces.values()
        if len({"road", "lane", "start", "home"} & space.kinds) != 1
    ]
    if not problems:
        for seat in SEATS:
            problems += _road_problems(board, seat)
    return problems


def _road_problems(board: Board, seat: str) -> list[str]:
    way = list(follow(board, seat))
    last, lane = way[-1], [space for space in way if "lane" in space.kinds]
    if not any(f"lane-{seat}" in space.links for space in way):
        return [f"{seat}'s road never turns off: a space of the road needs the link lane-{seat} to the foot of {seat}'s lane"]
    if "home" not in last.kinds:
        return [f"{seat}'s road ends on {last.id} instead of Home: follow the links next and lane-{seat} from {way[0].id}"]
    if f"lane-{seat}" in way[0].links:
        return [f"{way[0].id} is {seat}'s entering circle, so {seat}'s lane must turn off before it, after a round of the road"]
    strangers = [space for space in lane if space.facts.get("owner") != seat]
    problems = [f"{space.id} is in {seat}'s lane, so its owner must be {seat}" for space in strangers]
    problems += [f"{space.id} is a start circle and cannot be on {seat}'s road" for space in way if "start" in space.kinds]
    if lane != way[len(way) - 1 - len(lane) : -1]:
        problems.append(f"{seat}'s lane must lead to Home without touching the road again")
    return problems
