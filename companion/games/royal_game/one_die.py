"""A turn with one die.

Simulations play millions of these turns, nearly all of them by the usual readings. For those the legal moves and the next state
are worked out here on the shortest way, from the bits of each step; `plans` and `steps` say the same for every reading.
"""

from __future__ import annotations

from dataclasses import replace

from companion.events import Move, Roll
from companion.games.royal_game.after_throw import Rules, accepted, end_of_throw, send_nearest_out
from companion.games.royal_game.notes import noted
from companion.games.royal_game.opening import throw_off
from companion.games.royal_game.plans import choices_for
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import State, in_play, new_state, next_seat
from companion.games.royal_game.steps import NOBODY, can_enter, fallen_on, is_excused, may_stop, moved, tallied
from companion.games.royal_game.throw import ENTERING_NUMBER, Throw
from companion.ruling import Accepted, Verdict

THROWN: tuple[Rules, ...] = (("RG-06", "RG-10"), ("RG-10", "RG-25"), ("RG-10", "RG-26"))  # by sixes in a row
LOST: dict[tuple[bool, bool], Rules] = {  # by whether it was a six, and whether a disc is in play
    (False, False): ("RG-04", "RG-A04", "RG-A16"),
    (False, True): ("RG-A16",),
    (True, False): ("RG-A19",),
    (True, True): ("RG-A20",),
}


def throw_die(state: State, roll: Roll) -> Verdict:
    """A throw of one die (RG-10)."""
    ground, discs, occupied, walls, tallies, turn, pending, _, sixes, _, opening, ended, gone = state
    seat, dice = roll
    if pending or opening or ended or seat != ground.seats[turn] or len(dice) != 1:
        return throw_off(state, roll)
    sixes = sixes + 1 if dice[0] == 6 else 0
    if sixes == 3:
        return send_nearest_out(state._replace(sixes=3), dice, "third_six", ("RG-27", "RG-A21", "RG-A22"))
    throw, row = ground.single_throws[turn][dice[0]]
    if not ground.is_usual:
        return throw_by_any_reading(state, throw, sixes)
    found: list[Move] = []
    bound = False  # is there a move that he may not refuse (RG-A15)?
    if dice[0] == ENTERING_NUMBER and can_enter(state, throw):
        found.append(ground.roads[turn].enter.move)
        bound = True  # RG-17, RG-A05
    last = OUT
    for place in discs[turn] if not found else ():
        step = row[place]
        if step is None or place == last:  # past Home (RG-13), or a disc equal to the one before
            continue
        last = place
        if step.over & walls or (step.bit & occupied and not may_stop(state, turn, step)):  # RG-23
            continue
        found.append(step.move)
        bound = bound or not (step.bit & occupied or step.leaves & walls) or not is_excused(state, throw, step)
    if not found:
        return lost(state, throw, sixes)
    if not bound:
        found.append(ground.roads[turn].pass_)
    fields = (ground, discs, occupied, walls, tallies, turn, throw, tuple(found), sixes, 0, None, "", gone)
    return accepted((new_state(fields), (), THROWN[sixes]))


def throw_by_any_reading(state: State, throw: Throw, sixes: int) -> Accepted:
    """The same, at a table that has chosen other readings."""
    chance = state.tallies[state.turn].chances > 0 and can_enter(state, throw)
    throw = replace(throw, chance=chance)
    choices = choices_for(state, throw)
    if not choices:
        return lost(state, throw, sixes)
    return Accepted(state._replace(throw=throw, choices=choices, sixes=sixes), (), THROWN[sixes])


def lost(state: State, throw: Throw, sixes: int) -> Accepted:
    """The throw allows nothing (RG-A16); a six still earns the next one (RG-A19, RG-A20)."""
    ground, discs, occupied, walls, tallies, turn, _, _, _, _, _, _, gone = state
    rules = THROWN[sixes] + LOST[throw.again, bool(in_play(state, turn))]
    if not ground.is_usual:
        after, said, more = end_of_throw(state._replace(sixes=sixes), throw)
        return Accepted(after, ground.says_lost[turn] + said, rules + more)
    said = ground.says_lost[turn] + ground.says_again[turn] if throw.again else ground.says_lost[turn]
    upcoming = turn if throw.again else next_seat(state, turn)
    after = new_state((ground, discs, occupied, walls, tallies, upcoming, None, (), sixes, 0, None, "", gone))
    return accepted((after, said, rules))


def play(state: State, step: Step) -> Accepted:
    """Make a legal step; that is all a throw of one die allows (RG-11)."""
    ground, discs, occupied, before, tallies, turn, throw, _, sixes, _, _, _, gone = state
    assert throw is not None
    if not ground.is_usual:
        return play_by_any_reading(state, throw, step)
    at, end, leaves, bit = step.at, step.end, step.leaves, step.bit
    mine, all_discs = list(discs[turn]), list(discs)
    walls, victim = before, NOBODY
    if not bit & occupied:
        occupied |= bit
    elif end in mine:
        walls |= bit  # RG-22
    else:
        victim, all_discs[victim] = fallen_on(state, turn, bit)
    if leaves & before:
        walls ^= leaves  # RG-24
    else:
        occupied ^= leaves
    mine[mine.index(at)] = end
    mine.sort()
    all_discs[turn] = tuple(mine)
    if victim != NOBODY or at == OUT:
        tallies = tallied(state, turn, step, victim)
    ended = "" if bit or mine[0] != end else "home"  # RG-28
    upcoming = turn if throw.again or ended else next_seat(state, turn) if gone else ground.after[turn]
    after = new_state((ground, tuple(all_discs), occupied, walls, tallies, upcoming, None, (), sixes, 0, None, ended, gone))
    again = ground.says_again[turn] if throw.again and not ended else ()  # RG-25, RG-A23
    if victim == NOBODY and bit and at != OUT and not (leaves & before or bit & walls):
        return accepted((after, again, step.rules))
    said, rules = noted(state, throw, step, after, victim)
    return accepted((after, said + again, rules))


def play_by_any_reading(state: State, throw: Throw, step: Step) -> Accepted:
    """The same, at a table that has chosen other readings."""
    now, victim = moved(state, throw.mover, step)
    said, rules = noted(state, throw, step, now, victim)
    if now.ended:
        return Accepted(now._replace(throw=None, choices=()), said, rules)
    after, more_said, more = end_of_throw(now, throw.after(step))
    return Accepted(after, said + more_said, rules + more)
