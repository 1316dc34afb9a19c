"""A turn with two dice (RG-29)."""

from __future__ import annotations

from dataclasses import replace

from companion.events import Roll
from companion.games.royal_game.after_throw import Ending, Rules, end_of_throw, send_nearest_out
from companion.games.royal_game.lending import end_of_play, lend, lends
from companion.games.royal_game.notes import noted
from companion.games.royal_game.opening import throw_off
from companion.games.royal_game.plans import choices_for, is_divided
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import State
from companion.games.royal_game.steps import can_enter, moved
from companion.games.royal_game.throw import Throw, is_doublet
from companion.ruling import Accepted, Verdict
from companion.words import say


def throw_dice(state: State, roll: Roll) -> Verdict:
    """A throw of both dice."""
    if state.throw or state.opening or state.ended or roll.seat != state.ground.seats[state.turn] or len(roll.dice) != 2:
        return throw_off(state, roll)
    dice = roll.dice
    sixes = state.sixes + 1 if 6 in dice else 0
    doublets = state.doublets + 1 if is_doublet(dice) else 0
    state = state._replace(sixes=sixes, doublets=doublets)
    ground, turn = state.ground, state.turn
    if ground.sixes_count and sixes == 3:
        return send_nearest_out(state, dice, "third_six", ("RG-27", "RG-A24"))
    if ground.third_doublet_costs and doublets == 3:
        return send_nearest_out(state, dice, "third_doublet", ("RG-A25",))
    rules = ("RG-29", *doublet_rules(state, dice))
    throw = Throw(dice, numbers_of(state, dice), turn, again=dice in ground.again)
    enters = can_enter(state, throw)
    if lends(state) and not enters:
        return lend(state, throw, rules)
    if state.tallies[turn].entered:
        rules += ("RG-32",)
    throw = replace(throw, chance=enters and state.tallies[turn].chances > 0)
    choices = choices_for(state, throw)
    if choices:
        return Accepted(state._replace(throw=throw, choices=choices), (), rules)
    after, said, more = end_of_throw(state, throw)
    return Accepted(after, ground.says_lost[turn] + said, (*rules, "RG-A16", *more))


def numbers_of(state: State, dice: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers that a throw opens, the undersides of a doublet among them (RG-38, RG-39, RG-A39)."""
    shown = tuple(state.ground.numbers[face] for face in dice)
    if is_doublet(dice) and is_all_in_play(state):
        return (*shown, 7 - dice[0], 7 - dice[0])
    return shown


def is_all_in_play(state: State) -> bool:
    """Has the thrower no disc left to enter (RG-38, RG-A40)?"""
    ground, mine = state.ground, state.discs[state.turn]
    return OUT not in mine and (ground.home_is_in_play or ground.roads[state.turn].home not in mine)


def doublet_rules(state: State, dice: tuple[int, ...]) -> Rules:
    if not is_doublet(dice):
        return ()
    return ("RG-37", "RG-38", "RG-A39") if is_all_in_play(state) else ("RG-37", "RG-39")


def play(state: State, step: Step) -> Accepted:
    """Make a legal step, and go on with what is left of the throw."""
    throw = state.throw
    assert throw is not None
    now, victim = moved(state, throw.mover, step)
    said, rules = noted(state, throw, step, now, victim)
    rules += step_rules(state, throw, step)
    if now.ended:  # RG-46
        return Accepted(now._replace(throw=None, choices=()), said, rules)
    after, more_said, more = go_on(now, throw.after(step))
    return Accepted(after, said + more_said, rules + more)


def step_rules(state: State, throw: Throw, step: Step) -> Rules:
    """What the second game adds to the rules of a step."""
    has_entered = (OUT, 0) in throw.steps
    rules: Rules = ()
    if step.at == OUT:
        rules += ("RG-33", "RG-35") if has_entered else ("RG-33",)
    elif has_entered:
        rules += ("RG-36",) if throw.is_doublet else ("RG-34",)
    if throw.is_doublet:
        if is_divided(throw.after(step)):
            rules += ("RG-40",)
        if step.leaves & state.walls:
            rules += ("RG-41",)
    return rules


def go_on(state: State, rest: Throw) -> Ending:
    """After a step: the rest of the throw, if anything can be done with it."""
    if not rest.open:
        return end_of_play(state, rest)
    choices = choices_for(state, rest)
    if choices:
        return state._replace(throw=rest, choices=choices), (), ()
    after, said, rules = end_of_play(state, rest)
    return after, (say("rest_lost", seat=state.ground.seats[rest.mover]), *said), ("RG-A16", *rules)
