"""Whose turn it is: the throw for the first turn, and the turns that pass to the left (RP-11 to RP-13)."""

from __future__ import annotations

from companion.events import Roll
from companion.games.royal_purple.ground import CHILDREN, PRINCESS, TWO_HANDED
from companion.games.royal_purple.state import State, accepted, joined, standing
from companion.roll_off import RollOff, seats_from
from companion.ruling import Accepted
from companion.words import say

# What the set-up rests on, for the record of a game.
SET_UP_RULES = ("RP-01", "RP-02", "RP-04", "RP-05", "RP-06", "RP-07", "RP-08")
VARIANT_RULES = {
    PRINCESS: ("RP-48", "RP-49", "RP-50"),
    TWO_HANDED: ("RP-54", "RP-55"),
    CHILDREN: ("RP-57", "RP-58", "RP-60"),
}


def throw_for_first(state: State, event: Roll) -> Accepted:
    """Everyone throws once; the highest begins (RP-11)."""
    assert state.roll_off
    total = sum(event.dice)
    decided = state.roll_off.throw(event.seat, total, lowest=False, everybody=_who_throws_again(state))
    said = say("threw_for_first", seat=event.seat, number=total)
    return joined(accepted(state, said, rules=("RP-03", "RP-11")), _begin_or_throw_on(state, decided))


def _who_throws_again(state: State) -> tuple[str, ...]:  # X-A01
    return standing(state) if state.ground.readings["tie_reroll"] == "everybody" else ()


def _begin_or_throw_on(state: State, decided: RollOff | str) -> Accepted:
    if isinstance(decided, str):  # RP-12: he now throws afresh for his move
        rules = ("RP-12", *SET_UP_RULES, *VARIANT_RULES.get(state.ground.variant, ()))
        return accepted(state._replace(turn=decided, roll_off=None), say("begins", seat=decided), rules=rules)
    on = state._replace(roll_off=decided)
    return accepted(on) if decided.thrown else accepted(on, say("tied", seats=decided.waiting), rules=("X-A01",))


def drop_from_roll_off(state: State, seat: str) -> State:
    """A player does not throw for the first turn: he was passed over, or has left."""
    assert state.roll_off
    waiting = tuple(other for other in state.roll_off.waiting if other != seat)
    thrown = tuple((other, total) for other, total in state.roll_off.thrown if other != seat)
    if waiting:
        return state._replace(roll_off=RollOff(waiting, thrown))
    if not thrown:  # nobody threw at all: whoever is there begins
        others = [other for other in standing(state) if other != seat]
        return state._replace(turn=(*others, seat)[0], roll_off=None)
    (last, total), earlier = thrown[-1], thrown[:-1]
    decided = RollOff((last,), earlier).throw(last, total, lowest=False, everybody=_who_throws_again(state))
    after: State = _begin_or_throw_on(state, decided).state
    return after


def end_turn(state: State) -> State:
    """The turn passes to the next player on the left who still plays (RP-13, X-A02)."""
    still = standing(state)
    _, *others = seats_from(state.ground.seats, state.turn, state.ground.clockwise)
    following = next((seat for seat in others if seat in still), state.turn)
    return state._replace(turn=following, throw=(), turns=state.turns + 1)
