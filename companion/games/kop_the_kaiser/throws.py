"""Ruling on a throw of the dice: the opening throws, initial rolls, and attempts to repeat a number."""

from __future__ import annotations

from companion.events import Roll
from companion.games.kop_the_kaiser.ground import next_seat
from companion.games.kop_the_kaiser.orders import orders_of, told
from companion.games.kop_the_kaiser.state import (
    NUMBERS,
    ROW,
    VICTORIES,
    State,
    demanding_rules,
    outcome,
    pass_dice,
    playing,
    settle,
)
from companion.roll_off import RollOff
from companion.ruling import Accepted, Refused, Verdict, refuse
from companion.words import Say, say

DICE = ("first", "second")  # KK-05
SET_UP = ("KK-02", "KK-03", "KK-04", "KK-07")  # what was settled before the first throw


def rule_on_roll(state: State, roll: Roll) -> Verdict:
    if refused := objection_to_roll(state, roll):
        return refused
    total = sum(roll.dice)
    if state.roll_off:
        return _opening_throw(state, state.roll_off, roll.seat, total)
    if not state.number:
        return _initial_roll(state, total)
    return _attempt(state, total)


def may_roll(state: State) -> tuple[str, ...]:
    """The seats whose throw is due now."""
    if outcome(state) or state.owed:
        return ()
    return may_open(state, state.roll_off) if state.roll_off else (state.dice,)


def may_open(state: State, roll_off: RollOff) -> tuple[str, ...]:
    """Anybody may throw first, since no rule says who; then it goes round to the right (KK-06, KK-A09)."""
    if not roll_off.thrown:
        return roll_off.waiting
    return (next_seat(state.ground.dice_order, roll_off.thrown[-1][0], roll_off.waiting),)


def objection_to_roll(state: State, roll: Roll) -> Refused | None:
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    if state.owed:
        armies = tuple(state.ground.army[order.seat] for order in state.owed)
        return refuse(*demanding_rules(state), why=say("move_first", armies=armies))
    if roll.seat not in may_roll(state):
        return _not_his_throw(state, roll.seat)
    if len(roll.dice) != len(DICE):
        return refuse("KK-05", why=say("two_dice"))
    return None


def _not_his_throw(state: State, seat: str) -> Refused:
    if seat in state.gone:
        return refuse("X-A07", why=say("has_left", seat=seat))
    if not state.roll_off:
        rules = ("KK-35",) if seat not in playing(state) else ("KK-16",) if state.number else ("KK-20",)
        return refuse(*rules, why=say("not_your_dice", seat=state.dice))
    if seat in state.roll_off.waiting:
        return refuse("KK-06", why=say("opening_order", seat=may_roll(state)[0]))
    if any(seat == thrower for thrower, _ in state.roll_off.thrown):
        return refuse("KK-06", why=say("opening_once"))
    return refuse("KK-08", why=say("opening_tied_only", seats=state.roll_off.waiting))


# --- who starts ---


def _opening_throw(state: State, roll_off: RollOff, seat: str, total: int) -> Accepted:
    rules: tuple[str, ...] = ("KK-05", "KK-06", *(SET_UP if not roll_off.thrown else ()))
    said: tuple[Say, ...] = (say("opening_thrown", seat=seat, total=total),)
    after = roll_off.throw(seat, total, lowest=False, everybody=())
    if isinstance(after, str):
        return Accepted(state._replace(roll_off=None, dice=after), (*said, say("starts", seat=after)), (*rules, "KK-09"))
    if not after.thrown:
        said, rules = (*said, say("tied", seats=after.waiting)), (*rules, "KK-08")
    return Accepted(state._replace(roll_off=after), said, rules)


# --- play ---


def _initial_roll(state: State, total: int) -> Accepted:
    if total in NUMBERS:
        said = say("number_to_repeat", seat=state.dice, total=total, tries=state.ground.most_tries)
        return Accepted(state._replace(number=total), (said,), ("KK-05", "KK-16", "KK-19", "KK-A12"))
    forward = total in VICTORIES
    said = say("victory" if forward else "defeat", seat=state.dice, total=total)
    return _move_armies(state, total, said, (ROW[total], "KK-15"))


def _attempt(state: State, total: int) -> Accepted:
    ground, seat = state.ground, state.dice
    if total == state.number:
        return _move_armies(state, total, say("repeated", seat=seat, total=total), ("KK-17", "KK-19", "KK-A05"))
    failed = state.failed + 1
    rules: tuple[str, ...] = ("KK-16",) if total in NUMBERS else ("KK-16", "KK-A10" if total == 7 else "KK-A11")
    said: tuple[Say, ...] = (say("not_repeated", seat=seat, total=total, number=state.number),)
    if failed < ground.most_tries and not (ground.seven_loses_dice and total == 7):
        return Accepted(state._replace(failed=failed), said, rules)
    after = pass_dice(state)
    return Accepted(after, (*said, say("dice_pass", seat=after.dice)), (*rules, "KK-18", "KK-20"))


def _move_armies(state: State, total: int, said: Say, rules: tuple[str, ...]) -> Accepted:
    """The throw moves counters: from now on they are owed, and the next throw waits for them."""
    orders, shaping = orders_of(state, total)
    ordered = state._replace(throw=total, owed=orders)
    telling = [said, *(told(ordered, order) for order in orders)] if orders else [said, say("nobody_moves")]
    after = settle(ordered)
    if after.dice != state.dice:
        telling.append(say("dice_pass", seat=after.dice))
    return Accepted(after, tuple(telling), tuple(dict.fromkeys(("KK-05", *rules, *shaping))))
