"""A turn with one die.

Simulations play millions of these turns, nearly all of them by the usual readings. For those the legal moves and the next state
are worked out here on the shortest way, from the bits of each step; `plans` and `steps` say the same for every reading.
"""

from __future__ import annotations

from dataclasses import replace

from companion.events import Move, Roll
from companion.games.royal_game.after_throw import Rules, end_of_throw, send_nearest_out
from companion.games.royal_game.notes import noted
from companion.games.royal_game.opening import throw_off
from companion.games.royal_game.plans import choices_for
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import State, in_play, make, next_seat
from companion.games.royal_game.steps import NOBODY, can_enter, fallen_on, is_entrance_open, is_excused, may_stop, moved, tallied
from companion.games.royal_game.throw import ENTERING_NUMBER, Throw
from companion.ruling import Accepted, Verdict

THROWN: tuple[Rules, ...] = (("RG-06", "RG-10"), ("RG-10", "RG-25"), ("RG-10", "RG-26"))  # by sixes in a row
LOST: dict[tuple[int, bool], Rules] = {  # by sixes in a row, and whether a disc is in play
    (0, False): (*THROWN[0], "RG-04", "RG-A04", "RG-A16"),
    (0, True): (*THROWN[0], "RG-A16"),
    (1, False): (*THROWN[1], "RG-A19"),
    (1, True): (*THROWN[1], "RG-A20"),
    (2, False): (*THROWN[2], "RG-A19"),
    (2, True): (*THROWN[2], "RG-A20"),
}


def throw_die(state: State, roll: Roll) -> Verdict:
    """A throw of one die (RG-10)."""
    ground, discs, occupied, walls, tallies, turn, pending, _, sixes, _, opening, ended, gone = state
    known = ground.single_throws[turn].get(roll)
    if known is None or pending or opening or ended:
        return throw_off(state, roll)
    face, throw, row = known
    sixes = sixes + 1 if face == 6 else 0
    if sixes == 3:
        return send_nearest_out(state._replace(sixes=3), throw.dice, "third_six", ("RG-27", "RG-A21", "RG-A22"))
    mine = discs[turn]
    if not ground.is_usual:
        return throw_by_any_reading(state, throw, sixes)
    if face == ENTERING_NUMBER and mine[0] == OUT and is_entrance_open(state, turn):
        choices: tuple[Move, ...] = ground.enters[turn]  # RG-17, RG-A05
    else:
        found = []
        last = OUT
        bound = False  # is there a move that he may not refuse (RG-A15)?
        for place in mine:
            if place == last:  # waits in the start circle, or equals the disc before
                continue
            step = row[place]
            if step is None or (walls and step.path & walls):  # past Home (RG-13), a blockade (RG-23)
                continue
            last = place
            if not step.bit & occupied:
                found.append(step.move)
                bound = bound or not (walls and step.leaves & walls)
            elif not step.bit & ground.guarded or may_stop(state, turn, step):
                found.append(step.move)
                bound = bound or not is_excused(state, throw, step)
        if not found:
            return lost(state, throw, sixes)
        if not bound:
            found.append(ground.roads[turn].pass_)
        choices = tuple(found)
    after = make(State, (ground, discs, occupied, walls, tallies, turn, throw, choices, sixes, 0, None, "", gone))
    return make(Accepted, (after, (), THROWN[sixes]))


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
    rules = LOST[sixes, bool(in_play(state, turn))]
    if not ground.is_usual:
        after, said, more = end_of_throw(state._replace(sixes=sixes), throw)
        return Accepted(after, ground.says_lost[turn] + said, rules + more)
    said = ground.says_lost[turn] + ground.says_again[turn] if throw.again else ground.says_lost[turn]
    upcoming = turn if throw.again else next_seat(state, turn)
    after = make(State, (ground, discs, occupied, walls, tallies, upcoming, None, (), sixes, 0, None, "", gone))
    return make(Accepted, (after, said, rules))


def play(state: State, step: Step) -> Accepted:
    """Make a legal step; that is all a throw of one die allows (RG-11)."""
    ground, discs, occupied, walls, tallies, turn, throw, _, sixes, _, _, _, gone = state
    assert throw is not None
    if gone or not ground.is_usual:
        return play_by_any_reading(state, throw, step)
    at, end, leaves, bit = step.at, step.end, step.leaves, step.bit
    mine, all_discs = [*discs[turn]], [*discs]
    mine[mine.index(at)] = end
    mine.sort()
    all_discs[turn] = tuple(mine)
    meets, breaks = bit & occupied, walls and leaves & walls
    if bit and at != OUT and not meets and not breaks:  # nor does it enter or get Home: there is nothing to tell of it
        upcoming, again = (turn, ground.says_again[turn]) if throw.again else (ground.after[turn], ())
        fields = (ground, tuple(all_discs), occupied ^ step.ends, walls, tallies, upcoming, None, (), sixes, 0, None, "", gone)
        return make(Accepted, (make(State, fields), again, step.rules))
    victim = NOBODY
    if not meets:
        occupied |= bit
    elif end in discs[turn]:
        walls |= bit  # RG-22
    else:
        victim, all_discs[victim] = fallen_on(state, turn, bit)
    if breaks:
        walls ^= leaves  # RG-24
    else:
        occupied ^= leaves
    if victim != NOBODY or at == OUT:
        tallies = tallied(state, turn, step, victim)
    ended = "" if bit or mine[0] != end else "home"  # RG-28
    earned = throw.again and not ended  # RG-25, RG-A23
    upcoming = turn if earned or ended else ground.after[turn]
    fields = (ground, tuple(all_discs), occupied, walls, tallies, upcoming, None, (), sixes, 0, None, ended, gone)
    after = make(State, fields)
    said, rules = noted(state, throw, step, after, victim)
    return make(Accepted, (after, said + ground.says_again[turn] if earned else said, rules))


def play_by_any_reading(state: State, throw: Throw, step: Step) -> Accepted:
    """The same, at a table that has chosen other readings, or that somebody has left."""
    now, victim = moved(state, throw.mover, step)
    said, rules = noted(state, throw, step, now, victim)
    if now.ended:
        return Accepted(now._replace(throw=None, choices=()), said, rules)
    after, more_said, more = end_of_throw(now, throw.after(step))
    return Accepted(after, said + more_said, rules + more)
