"""A state of Corner Race, and what it needs of a board: one way of spaces that are linked by `next`."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.board import Board
from companion.game import Terms
from companion.layout import Layout, Standing, Supply

SUN, MOON = SEATS = ("sun", "moon")  # CR-01
RUNNERS = {SUN: "red-runner", MOON: "blue-runner"}
LEAST_WAY = 5


class Ground:
    """The way, first space to last."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.way = way_of(terms.board)
        self.must_be_exact = terms.readings["last_step"] != "any"  # CR-A01


class State(NamedTuple):
    ground: Ground
    at: tuple[int, int]  # how far each seat's Runner has come; 0 is the first space
    turn: int  # which of SEATS
    throw: int = 0  # the number that has still to be moved; 0: a throw is due
    gone: tuple[str, ...] = ()


@lru_cache(maxsize=16)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)


def set_up(terms: Terms) -> State:
    return State(ground_of(terms), (0, 0), 0)  # CR-02, CR-03


def layout(state: State) -> Layout:
    way = state.ground.way
    return Layout(tuple(Standing(RUNNERS[seat], way[far]) for seat, far in zip(SEATS, state.at, strict=True)))


def pieces(terms: Terms) -> tuple[Supply, ...]:
    return tuple(Supply(runner, 1) for runner in RUNNERS.values())


def way_of(board: Board) -> tuple[str, ...]:
    led_to = {space.links.get("next") for space in board.spaces.values()}
    starts = [space for space in board.spaces.values() if space.id not in led_to]
    way: list[str] = []
    here = starts[0] if len(starts) == 1 else None
    while here is not None and here.id not in way:
        way.append(here.id)
        here = board.spaces.get(here.links.get("next", ""))
    return tuple(way)


def board_problems(board: Board) -> list[str]:
    problems = []
    way = way_of(board)
    if len(way) < len(board.spaces):
        problems.append("Corner Race needs one way through all spaces: each but the last has a link 'next'")
    if len(way) < LEAST_WAY:
        problems.append(f"Corner Race needs a way of at least {LEAST_WAY} spaces")
    return problems
