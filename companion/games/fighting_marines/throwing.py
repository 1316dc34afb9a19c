"""The dice and the platform: the throw for the first turn (FM-15), a throw, and the turn that it forces (FM-16, FM-17)."""

from __future__ import annotations

from companion.events import Move, Roll
from companion.games.fighting_marines.ground import RING
from companion.games.fighting_marines.state import STOP, THROW, TURN, State
from companion.games.fighting_marines.stop import base_id
from companion.roll_off import RollOff
from companion.ruling import Accepted, Verdict, refuse
from companion.words import say

DICE = ("first", "second")  # FM-06
SET_UP = ("FM-01", "FM-02", "FM-03", "FM-05", "FM-08", "FM-09", "FM-10", "FM-12", "FM-13")


def rule_on_roll(state: State, roll: Roll) -> Verdict:
    if roll.seat in state.gone:
        return refuse("X-A07", why=say("you_left", seat=roll.seat))
    if state.phase == STOP:
        missing = tuple(seat for seat in state.ground.seats if seat not in (*state.ready, *state.gone))
        return refuse("FM-40", why=say("not_all_ready", seats=missing))
    if state.phase == TURN:
        return refuse("FM-16", "FM-A30", why=say("turn_first", to=base_id(state, state.turn_to)))
    if state.phase == THROW and roll.seat != state.thrower:
        return refuse("FM-15", why=say("not_your_throw", seat=state.thrower))
    if state.roll_off and roll.seat not in state.roll_off.waiting:
        return refuse("FM-15", why=say("threw_already", seats=state.roll_off.waiting))
    if len(roll.dice) != len(DICE):
        return refuse("FM-06", "FM-16", why=say("two_dice"))
    return throw(state, roll) if state.phase == THROW else throw_for_first_turn(state, roll)


# --- the first turn ---


def throw_for_first_turn(state: State, roll: Roll) -> Accepted:
    """The highest total starts; who is level throws again (FM-15, X-A01)."""
    assert state.roll_off
    total = sum(roll.dice)
    again = () if state.ground.tied_throw_again else tuple(seat for seat in state.ground.seats if seat not in state.gone)
    after = state.roll_off.throw(roll.seat, total, lowest=False, everybody=again)
    said = (say("threw_for_first_turn", seat=roll.seat, total=total),)
    if isinstance(after, str):
        return Accepted(started(state, after), (*said, say("starts", seat=after)), ("FM-06", "FM-15", *set_up_rules(state)))
    if not after.thrown:
        return Accepted(state._replace(roll_off=after), (*said, say("level", seats=after.waiting)), ("FM-06", "FM-15", "X-A01"))
    return Accepted(state._replace(roll_off=after), said, ("FM-06", "FM-15"))


def started(state: State, seat: str) -> State:
    return state._replace(phase=THROW, roll_off=None, thrower=seat)


def set_up_rules(state: State) -> tuple[str, ...]:
    """The rules that shaped the set-up, named when the first throw falls."""
    players = len(state.ground.seats)
    return (*SET_UP, *(("FM-11",) if players == 4 else ("FM-A20",)), *(("FM-42",) if players == 2 else ()))


def without(state: State, seat: str) -> State:
    """The throw for the first turn goes on without this seat."""
    assert state.roll_off
    waiting = tuple(s for s in state.roll_off.waiting if s != seat)
    thrown = tuple(t for t in state.roll_off.thrown if t[0] != seat)
    if waiting:
        return state._replace(roll_off=RollOff(waiting, thrown))
    if not thrown:
        return started(state, next((s for s in state.ground.order if s not in (seat, *state.gone)), seat))
    best = max(total for _, total in thrown)
    in_front = tuple(s for s, total in thrown if total == best)
    return started(state, in_front[0]) if len(in_front) == 1 else state._replace(roll_off=RollOff(in_front))


# --- a throw, and the turn that it forces ---


def throw(state: State, roll: Roll) -> Accepted:
    """The arrow moves on by the total of both dice, from wherever it stands (FM-16, FM-17). Doubles mean nothing (FM-A31)."""
    total = sum(roll.dice)
    turn_to = (state.arrow + total - 1) % RING + 1
    said = say("threw", seat=roll.seat, total=total, start=base_id(state, state.arrow), to=base_id(state, turn_to))
    return Accepted(state._replace(phase=TURN, turn_to=turn_to), (said,), ("FM-06", "FM-16", "FM-17"))


def turn_moves(state: State) -> list[Move]:
    return [Move(state.thrower, "turn", to=base_id(state, state.turn_to))]


def rule_on_turn(state: State, move: Move) -> Verdict:
    if move.seat in state.gone:
        return refuse("X-A07", why=say("you_left", seat=move.seat))
    if state.phase == STOP:
        return refuse("FM-16", "FM-40", why=say("turned_already"))
    if state.phase != TURN:
        return refuse("FM-16", why=say("throw_before_turn"))
    if move.seat != state.thrower:
        return refuse("FM-A36", why=say("thrower_turns", seat=state.thrower))
    if move.to != base_id(state, state.turn_to):
        return refuse("FM-16", "FM-17", "FM-A30", why=say("wrong_turn", to=base_id(state, state.turn_to), wrong=move.to))
    return Accepted(turned(state), (say("turned", to=move.to),), ("FM-16", "FM-17", "FM-A36"))


def turned(state: State) -> State:
    return state._replace(phase=STOP, arrow=state.turn_to, turn_to=0, stop=state.stop + 1)

