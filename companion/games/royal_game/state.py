"""The state of a game: everybody's discs, the throw that is being played, and what may be done with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.events import Move
from companion.games.royal_game.ground import DISCS, Ground
from companion.games.royal_game.road import OUT
from companion.games.royal_game.throw import Throw
from companion.roll_off import RollOff

Discs = tuple[int, ...]  # the progress of one seat's four discs, the hindmost first: equal discs are not told apart


class Tally(NamedTuple):
    """What is counted for one seat."""

    captured: int = 0  # how many of its discs that are out were captured (RG-16)
    chances: int = 0  # how many of those still have their first chance to enter before them (RG-43)
    entered: bool = False  # whether it ever entered a disc (RG-31)
    score: int = 0


class State(NamedTuple):
    ground: Ground
    discs: tuple[Discs, ...]  # of each seat
    occupied: int  # the spaces of the road and the lanes where discs stand; they follow from `discs`, as do the walls
    walls: int  # the spaces where two stand together: nobody passes (RG-23)
    tallies: tuple[Tally, ...]
    turn: int  # whose turn it is to throw
    throw: Throw | None  # None while a throw is due
    choices: tuple[Move, ...]  # every legal move, worked out once, when the dice fall
    sixes: int = 0  # throws with a six in this turn, one after the other
    doublets: int = 0  # doublets in this turn, one after the other
    opening: RollOff | None = None  # while it is open who begins
    ended: str = ""  # "home": a player has all discs Home; "left": a player's leaving ended it
    gone: tuple[str, ...] = ()  # players who left


make = tuple.__new__  # fills the fields of a NamedTuple in their order, in half the time of its own constructor


def spaces_of(ground: Ground, discs: Iterable[Discs]) -> tuple[int, int]:
    """The spaces where these discs stand, and those where two stand together."""
    occupied = walls = 0
    for road, places in zip(ground.roads, discs, strict=True):
        for place in places:
            walls |= occupied & road.bits[place]
            occupied |= road.bits[place]
    return occupied, walls


def first_state(ground: Ground) -> State:
    """Four discs of each player in his start circle (RG-02, RG-03)."""
    seats = len(ground.seats)
    return State(ground, ((OUT,) * DISCS,) * seats, 0, 0, (Tally(),) * seats, 0, None, ())


def in_play(state: State, seat: int) -> list[int]:
    """The places of a seat's discs on the road and in its lane, the foremost last."""
    home = state.ground.roads[seat].home
    return [place for place in state.discs[seat] if OUT < place < home]


def next_seat(state: State, seat: int) -> int:
    """The next seat to the left whose player is still there (RG-06, X-A02)."""
    ground, gone = state.ground, state.gone
    seat = ground.after[seat]
    while gone and ground.seats[seat] in gone:
        seat = ground.after[seat]
    return seat
