"""What board, seats and readings fix for a whole game of Royal Purple.

Each of the four colours is one piece: a Prince, or in the Prince and Princess game a Princess. Whose piece it is, where its
Castle and Throne lie, and how far each throw reaches from each square are looked up here and never worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from companion.board import Board
from companion.game import Terms
from companion.rulebook import ASK, load_rulebook
from companion.words import Say, say

COLOURS = ("red", "blue", "yellow", "green")  # clockwise from the Castle at the left hand of the south side (RP-01, RP-06)
SIDE = {"red": "south", "green": "south", "blue": "north", "yellow": "north"}  # RP-05
PAIRS = {"south": ("red", "green"), "north": ("yellow", "blue")}  # the left-hand piece, the Princess, first (RP-49, RP-A39)
SEATS = (*COLOURS, *PAIRS)
FOUR_HANDED, PRINCESS, TWO_HANDED, CHILDREN = "four_handed", "prince_and_princess", "two_handed", "children"
NOBLES_NEEDED = 5  # RP-42
MARKERS = 30  # of each colour (RP-02)
RULEBOOK = load_rulebook(Path(__file__).parent / "rulebook.toml")

UP_DOWN, SIDEWAYS = ((0, 1), (0, -1)), ((1, 0), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))


class Meaning(NamedTuple):
    """What a number on the die lets a Prince do, and the rule that says so."""

    directions: tuple[tuple[int, int], ...]
    squares: int  # at most
    rule: str


MEANING = {
    1: Meaning(UP_DOWN, 1, "RP-15"),
    2: Meaning(SIDEWAYS, 1, "RP-16"),
    3: Meaning(DIAGONAL, 1, "RP-17"),
    4: Meaning(UP_DOWN, 2, "RP-18"),
    5: Meaning(SIDEWAYS, 2, "RP-19"),
    6: Meaning(DIAGONAL, 2, "RP-20"),
}
EVERY_WAY = (4, 5, 6)  # whatever 1, 2 and 3 allow, these allow too

# Where a throw leads from a square: each square it can end on, with the squares it can pass on the way ("" for a single step).
Ends = dict[str, tuple[str, ...]]
Reach = dict[int, dict[str, Ends]]


@lru_cache(maxsize=16)
def reach(board: Board, may_bend: bool) -> Reach:
    """RP-15 to RP-21: both senses of every direction. RP-29: no square, no step. RP-A03: may the second step turn?"""
    return {
        number: {space.id: _ends(board, space.id, meaning, may_bend) for space in board.spaces.values()}
        for number, meaning in MEANING.items()
    }


@lru_cache(maxsize=16)
def ways(board: Board, numbers: tuple[int, ...], may_bend: bool) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """All squares to which any of these throws could lead from a square, with the squares passed."""
    table = reach(board, may_bend)
    return {id: tuple(end for number in numbers for end in table[number][id].items()) for id in board.spaces}


def _ends(board: Board, start: str, meaning: Meaning, may_bend: bool) -> Ends:
    ends: dict[str, list[str]] = {}
    for direction in meaning.directions:
        near = step(board, start, direction)
        if not near:
            continue
        ends.setdefault(near, []).append("")
        if meaning.squares == 2:
            for second in meaning.directions if may_bend else (direction,):
                if far := step(board, near, second):
                    ends.setdefault(far, []).append(near)
    return {end: tuple(passed) for end, passed in ends.items()}


def step(board: Board, start: str, direction: tuple[int, int]) -> str:
    """The neighbouring square in that direction; empty when the board ends there."""
    here = board.spaces[start]
    there = board.at(here.number("column") + direction[0], here.number("row") + direction[1])
    return there.id if there else ""


class Ground:
    """The tables of one game."""

    def __init__(self, terms: Terms) -> None:
        board = terms.board
        defaults = RULEBOOK.defaults()
        self.terms = terms
        self.board = board
        self.readings = {name: defaults[name] if value == ASK else value for name, value in terms.chosen}
        self.variant = terms.variant
        self.is_pair = terms.variant == PRINCESS
        self.is_children = terms.variant == CHILDREN
        self.seats = terms.seats
        self.pieces = {seat: PAIRS[seat] if self.is_pair else (seat,) for seat in terms.seats}  # of each seat
        self.owner = {colour: seat for seat, colours in self.pieces.items() for colour in colours}
        self.colours = tuple(colour for colour in COLOURS if colour in self.owner)  # in play
        self.name = {colour: f"{colour}-{self._rank(colour)}" for colour in self.colours}
        self.colour = {name: colour for colour, name in self.name.items()}
        self.marker = {colour: f"{colour}-marker" for colour in self.colours}
        self.dice = ("coloured", "white") if self.is_pair else ("die",)  # RP-03, RP-50
        self.castle_owner = {space.id: str(space.facts["owner"]) for space in board.of_kind("castle")}
        self.castle = {colour: id for id, colour in self.castle_owner.items()}
        self.throne_side = {space.id: str(space.facts["side"]) for space in board.of_kind("throne")}
        self.throne = {
            colour: frozenset(id for id, side in self.throne_side.items() if side == SIDE[colour]) for colour in COLOURS
        }  # RP-08
        # RP-59: the children's game has neither Nobles nor Go squares.
        self.nobles = frozenset() if self.is_children else frozenset(space.id for space in board.of_kind("noble"))
        self.go = {} if self.is_children else {space.id: space.links["go"] for space in board.of_kind("go")}
        self.reach = reach(board, self.readings["two_step_bend"] == "free")
        self.single_steps = ways(board, (1, 2, 3), False)
        self.every_way = ways(board, EVERY_WAY, self.readings["two_step_bend"] == "free")
        self.clockwise = self.readings["left_is"] == "clockwise"

    def _rank(self, colour: str) -> str:
        return "princess" if self.is_pair and PAIRS[SIDE[colour]][0] == colour else "prince"

    def realm(self, colour: str) -> tuple[str, ...]:
        """The colours whose territory is open to a piece: its own, and its partner's by a reading (RP-26, RP-27, RP-A40)."""
        return self.pieces[self.owner[colour]] if self.readings["pair_territory"] == "shared" else (colour,)

    def meaning(self, number: int) -> Say:
        """A throw in words. "Up" is the same for everybody, or seen from where the player sits (RP-A01): both senses are
        always open, so this changes the words and never a move."""
        frame = self.readings["frame"]
        return say(f"{frame}_{number}")

    def is_own_throne(self, colour: str, square: str) -> bool:
        return square in self.throne[colour]

    def rows_forward(self, colour: str, start: str, end: str) -> int:
        """How many rows nearer to the edge of his Throne a step brings him (RP-A49)."""
        row = {id: self.board.spaces[id].number("row") for id in (start, end, self.castle[colour])}
        goal = self.board.spaces[min(self.throne[colour])].number("row")
        return row[end] - row[start] if goal > row[self.castle[colour]] else row[start] - row[end]


@lru_cache(maxsize=128)
def ground_of(terms: Terms) -> Ground:
    return Ground(terms)


def seat_problem(variant: str, seats: tuple[str, ...], readings: Mapping[str, str]) -> str:
    """Why these seats do not fit the variant under these readings; empty when they do."""
    wanted = PAIRS if variant == PRINCESS else COLOURS
    if strangers := [seat for seat in seats if seat not in wanted]:
        return f"{', '.join(strangers)} cannot play this game; its seats are {', '.join(wanted)}"
    if variant == FOUR_HANDED and len(seats) == 3 and readings["three_handed"] == "refuse":  # RP-A33
        return "at this table the main game is for four (reading three_handed)"
    if variant == TWO_HANDED:  # RP-55, RP-A47
        corners = readings["two_hand_corners"]
        is_diagonal = COLOURS.index(seats[1]) - COLOURS.index(seats[0]) == 2
        is_facing = SIDE[seats[0]] != SIDE[seats[1]] and not is_diagonal
        if is_diagonal and corners == "facing":
            return "the two must sit in corners that face each other: red and blue, or yellow and green"
        if (is_facing and corners == "diagonal") or not (is_diagonal or is_facing):
            return "the two must sit in diagonally opposite corners: red and yellow, or blue and green"
    return ""
