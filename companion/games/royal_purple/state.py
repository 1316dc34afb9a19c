"""A state of Royal Purple, and the questions that most rules ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.game import Terms
from companion.games.royal_purple.ground import MARKERS, NOBLES_NEEDED, Ground, ground_of
from companion.roll_off import RollOff
from companion.ruling import Accepted
from companion.words import Say

LEFT, DEAD = "left", "dead"  # how a game may end without a King


class Stop(NamedTuple):
    """A square on which a piece stopped in this play, and which its owner may still mark."""

    colour: str
    square: str


class State(NamedTuple):
    ground: Ground
    places: Mapping[str, str]  # colour -> the square where that piece stands
    markers: Mapping[str, str]  # square -> the colour of its marker, oldest first
    turn: str  # the seat whose turn it is; empty during the throw for the first turn
    throw: tuple[tuple[str, int], ...]  # the dice still to be played: colour of the piece, number
    stops: tuple[Stop, ...]  # all of one seat
    out: tuple[str, ...]  # colours of the pieces that are out of the game
    roll_off: RollOff | None
    gone: tuple[str, ...]  # players who left
    ended: str  # LEFT, DEAD or empty
    turns: int  # finished


def set_up(terms: Terms) -> State:
    ground = ground_of(terms)
    places = {colour: ground.castle[colour] for colour in ground.colours}  # RP-07
    return State(ground, frozen(places), frozen({}), "", (), (), (), RollOff(ground.seats), (), "", 0)


def frozen(data: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(data))


def without(data: Mapping[str, str], unwanted: Iterable[str]) -> Mapping[str, str]:
    return frozen({key: value for key, value in data.items() if key not in unwanted})


def without_dice(state: State, colours: Iterable[str]) -> State:
    """These pieces have played, lost or laid aside their dice."""
    return state._replace(throw=tuple(die for die in state.throw if die[0] not in colours))


# --- who still plays ---


def in_play(state: State, seat: str) -> tuple[str, ...]:
    """The pieces with which a seat still plays: none when it is out of the game or its player has left."""
    if seat in state.gone:
        return ()
    pieces = state.ground.pieces[seat]
    return tuple(colour for colour in pieces if colour not in state.out) if state.out else pieces


def standing(state: State) -> tuple[str, ...]:
    """The seats that still play."""
    if not state.out and not state.gone:
        return state.ground.seats
    return tuple(seat for seat in state.ground.seats if in_play(state, seat))


# --- markers and Nobles ---


def markers_of(state: State, colour: str) -> list[str]:
    """The squares that a colour has marked, in the order of marking."""
    return [square for square, holder in state.markers.items() if holder == colour]


def markers_left(state: State, colour: str) -> int:  # RP-02
    return MARKERS - len(markers_of(state, colour))


def nobles_marked(state: State, colour: str) -> int:
    return list(map(state.markers.get, state.ground.nobles)).count(colour)


def support(state: State, colour: str) -> int:
    """How many Nobles support a piece: those it marked (RP-41, RP-47); by a reading its partner's as well (RP-52, RP-A43)."""
    ground = state.ground
    if ground.is_pair and ground.readings["pair_nobles"] == "total":
        return sum(nobles_marked(state, each) for each in ground.pieces[ground.owner[colour]])
    return nobles_marked(state, colour)


def has_support(state: State, colour: str) -> bool:
    """Five Nobles (RP-42); children need none (RP-59)."""
    return state.ground.is_children or support(state, colour) >= NOBLES_NEEDED


def may_sit(state: State, colour: str) -> bool:
    """May this piece take the Throne for good? By a reading not before its partner may as well (RP-A45)."""
    ground = state.ground
    if ground.is_pair and ground.readings["pair_throne"] == "both_five":
        return all(has_support(state, each) for each in in_play(state, ground.owner[colour]))
    return has_support(state, colour)


def is_seated(state: State, colour: str) -> bool:
    place = state.places.get(colour)
    return place is not None and state.ground.is_own_throne(colour, place) and may_sit(state, colour)


# --- joining what several steps say and do ---


def joined(first: Accepted, second: Accepted) -> Accepted:
    """One step after another: the second's state, the words and rules of both."""
    return Accepted(second.state, (*first.said, *second.said), (*first.rules, *(r for r in second.rules if r not in first.rules)))


def accepted(state: State, *said: Say, rules: Iterable[str] = ()) -> Accepted:
    return Accepted(state, said, tuple(dict.fromkeys(rules)))
