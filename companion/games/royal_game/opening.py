"""Who begins: a throw for it (RG-30, RG-A03), or somebody who says so (RG-A03)."""

from __future__ import annotations

from companion.events import Move, Roll
from companion.games.royal_game.ground import Ground
from companion.games.royal_game.refusals import against_roll
from companion.games.royal_game.state import State
from companion.roll_off import RollOff
from companion.ruling import Accepted, Due, Refused, Verdict
from companion.words import say

SETTING_UP = ("RG-01", "RG-02", "RG-03")


def asked(state: State, opening: RollOff) -> tuple[Due, ...]:
    """Everybody throws, in any order; or whoever begins says so."""
    ground = state.ground
    if ground.first != "roll":
        return tuple(Due(seat, "move", say(f"begins_{ground.first}", seat=seat)) for seat in opening.waiting)
    key = "throw_low" if ground.lowest_first else "throw_high"
    return tuple(Due(seat, "roll", say(key, seat=seat), ground.dice) for seat in opening.waiting)


def opening_choices(ground: Ground, opening: RollOff) -> tuple[Move, ...]:
    if ground.first == "roll":
        return ()
    return tuple(road.begin for road in ground.roads if road.seat in opening.waiting)


def throw_off(state: State, roll: Roll) -> Verdict:
    """A throw for the first turn (RG-30, RG-A03, RG-A26, X-A01), or one that is not due at all."""
    if objections := against_roll(state, roll):
        return Refused(objections)
    ground, opening = state.ground, state.opening
    assert opening is not None
    rules = ("RG-30", "RG-A26") if ground.two_dice else ("RG-A03",)
    again = () if ground.tied_only else tuple(seat for seat in ground.seats if seat not in state.gone)
    after = opening.throw(roll.seat, sum(roll.dice), lowest=ground.lowest_first, everybody=again)
    if isinstance(after, str):
        return begin(state, after, rules)
    if len(opening.waiting) == 1:
        return Accepted(state._replace(opening=after), (say("tied", seats=after.waiting),), (*rules, "X-A01"))
    return Accepted(state._replace(opening=after), (), rules)


def begin(state: State, seat: str, rules: tuple[str, ...] = ("RG-A03",)) -> Accepted:
    """The first turn."""
    after = state._replace(turn=state.ground.seats.index(seat), opening=None, choices=())
    return Accepted(after, (say("begins", seat=seat),), (*SETTING_UP, *rules))


def without(state: State, seat: str) -> State:
    """The opening goes on without this seat's throw; if nobody else is waited for, it is decided."""
    ground, opening = state.ground, state.opening
    assert opening is not None
    waiting = tuple(s for s in opening.waiting if s != seat)
    thrown = tuple((s, total) for s, total in opening.thrown if s != seat or s not in state.gone)
    if waiting:
        opening = RollOff(waiting, thrown)
        return state._replace(opening=opening, choices=opening_choices(ground, opening))
    best = (min if ground.lowest_first else max)((total for _, total in thrown), default=0)
    in_front = tuple(s for s, total in thrown if total == best)
    if len(in_front) > 1:
        return state._replace(opening=RollOff(in_front))
    first = in_front or tuple(s for s in ground.seats if s not in state.gone)
    return state._replace(turn=ground.seats.index(first[0]), opening=None, choices=())
