"""Why not: every rule that stands against an event, each with its reason.

Whatever `plans.choices_for` leaves out is explained here by the same tests that left it out.
"""

from __future__ import annotations

from companion.events import Move, Roll
from companion.games.royal_game.after_throw import going_out_rules, nearest_out
from companion.games.royal_game.ending import outcome
from companion.games.royal_game.plans import breaking_first, is_bound_to_finish, open_steps
from companion.games.royal_game.road import MOST, OUT, Step
from companion.games.royal_game.state import State
from companion.games.royal_game.steps import (
    carries_blockade,
    is_entrance_open,
    is_owners_circle,
    may_stop,
    must_enter,
    only_entered_disc_moves,
)
from companion.games.royal_game.throw import Throw
from companion.ruling import Objection
from companion.words import say

Objections = tuple[Objection, ...]


def against_roll(state: State, roll: Roll) -> Objections:
    """Why a throw does not count; nothing when it is due."""
    ground, seats = state.ground, state.ground.seats
    if ended := outcome(state):
        return (Objection(ended.rules, say("over")),)
    held = []
    if state.opening:
        rules = ("RG-30",) if ground.two_dice else ("RG-A03",)
        if ground.first != "roll":
            return (Objection(rules, say("say_who_begins")),)
        if roll.seat not in state.opening.waiting:
            held.append(Objection(rules, say("not_in_opening", seats=state.opening.waiting)))
    elif state.throw:
        who = seats[state.throw.mover]
        held.append(Objection(("RG-10",), say("play_first", seat=who)))
    elif roll.seat != seats[state.turn]:
        held.append(Objection(("RG-06", "RG-10"), say("not_your_turn", seat=seats[state.turn])))
    if len(roll.dice) != len(ground.dice):
        held.append(Objection(("RG-29",), say("wrong_dice", count=len(ground.dice))))
    return tuple(held)


def against(state: State, move: Move) -> Objections:
    """Why a move that is not among the choices is not legal."""
    ground = state.ground
    if ended := outcome(state):
        return (Objection(ended.rules, say("over")),)
    if state.opening:
        rules = ("RG-30",) if ground.two_dice else ("RG-A03",)
        return (Objection(rules, say("opening_first")),)
    if move.do == "begin":
        return (Objection(("RG-A03",), say("has_begun")),)
    throw = state.throw
    whose = ground.seats[throw.mover if throw else state.turn]
    if move.seat != whose:
        if throw and throw.mover != state.turn and move.seat == ground.seats[state.turn]:
            return (Objection(("RG-31", "RG-A27"), say("throw_is_lent", seat=whose)),)
        return (Objection(("RG-06",), say("not_your_turn", seat=whose)),)
    if throw is None:
        return (Objection(("RG-07", "RG-10"), say("throw_first")),)
    if throw.goes_out or move.do == "out":
        return _against_going_out(state, throw)
    if move.do == "enter":
        return _against_entering(state, throw, move)
    if move.do == "pass":
        return _against_passing(state, throw)
    return _against_moving(state, throw, move)


def _against_going_out(state: State, throw: Throw) -> Objections:
    if not throw.goes_out:
        return (Objection(("RG-27",), say("nothing_goes_out")),)
    return (Objection(going_out_rules(state, throw), say("nearest_goes_out", space=nearest_out(state).move.start)),)


# --- entering ---


def _against_entering(state: State, throw: Throw, move: Move) -> Objections:
    ground, mine = state.ground, state.discs[throw.mover]
    road = ground.roads[throw.mover]
    if move != road.enter.move:
        return (Objection(("RG-05",), say("enter_here", start=road.start, space=road.spaces[0])),)
    held = []
    if OUT not in mine:
        held.append(Objection(("RG-05",), say("nothing_to_enter")))
    if not throw.has_entering_number:
        rules, key = (("RG-05", "RG-33"), "no_five_of_two") if ground.two_dice else (("RG-05",), "no_five")
        held.append(Objection(rules, say(key)))
    if not is_entrance_open(state, throw.mover):
        if 0 in mine:
            held.append(Objection(("RG-22", "RG-A07"), say("entrance_full", space=move.to)))
        elif road.enter.bit & state.walls:
            held.append(Objection(("RG-19", "RG-A08"), say("entrance_blocked", space=move.to)))
        else:
            held.append(Objection(("RG-14", "RG-A09"), say("entrance_safe", space=move.to)))
    return tuple(held) or _against_plan(state, throw, road.enter)


# --- moving ---


def _against_moving(state: State, throw: Throw, move: Move) -> Objections:
    road, mine = state.ground.roads[throw.mover], state.discs[throw.mover]
    start, end = road.progress.get(move.start), road.progress.get(move.to)
    if move.piece != road.piece:
        return (Objection(("RG-12",), say("not_your_disc")),)
    if start is None or start not in mine:
        return (Objection(("RG-12",), say("no_disc_there", space=move.start)),)
    if start == OUT:
        return (Objection(("RG-05",), say("enter_first")),)
    if start == road.home:
        return (Objection(("RG-08",), say("stays_home")),)
    if end is None:
        return (Objection(("RG-07", "RG-08"), say("off_the_road", space=move.to)),)
    if end <= start:
        return (Objection(("RG-09",), say("backward")),)
    held = _against_count(state, throw, start, end)
    step = road.steps[end - start][start] if end - start <= MOST else None
    if step:
        held += _against_order(state, throw, step) + _against_way(state, throw, step)
    if step and not held:
        return _against_plan(state, throw, step)
    return tuple(held)


def _against_count(state: State, throw: Throw, start: int, end: int) -> list[Objection]:
    """The disc goes as far as an open number says (RG-07, RG-13, RG-25)."""
    ground, count = state.ground, end - start
    allowed = ground.counts(throw)
    if count in allowed:
        return []
    told = {"count": count, "numbers": tuple(sorted(set(allowed)))}
    if count == 6 and 12 in allowed:
        return [Objection(("RG-25", "RG-A17"), say("six_is_twelve"))]
    if end == ground.roads[throw.mover].home:
        return [Objection(("RG-13",), say("not_exact", **told))]
    if len(throw.open) > 1 and count == sum(throw.open):
        return [Objection(("RG-07", "RG-A37"), say("one_number_at_a_time", **told))]
    if count in throw.open:
        return [Objection(("RG-11", "RG-A35"), say("only_the_total", **told))]
    return [Objection(("RG-07",), say("wrong_count", **told))]


def _against_order(state: State, throw: Throw, step: Step) -> list[Objection]:
    """What must be done first: entering (RG-17), or moving on the disc just entered (RG-34)."""
    if only_entered_disc_moves(state.ground, throw) and step.at != 0:
        return [Objection(("RG-34", "RG-A31"), say("entered_disc_only"))]
    return _against_not_entering(state, throw)


def _against_not_entering(state: State, throw: Throw) -> list[Objection]:
    if state.ground.roads[throw.mover].enter.move in state.choices and must_enter(state, throw.mover):
        return [Objection(("RG-17" if state.tallies[throw.mover].captured else "RG-05", "RG-A05"), say("must_enter"))]
    return []


def _against_way(state: State, throw: Throw, step: Step) -> list[Objection]:
    """Blockades on the way, and what stands where the disc would stop."""
    held = []
    if step.over & state.walls:
        held.append(Objection(("RG-23",), say("passes_blockade")))
    if step.bit & state.occupied and not may_stop(state, throw.mover, step):
        held.append(_against_stopping(state, throw.mover, step))
    if carries_blockade(state, throw, step):
        held.append(Objection(("RG-41",), say("carries_blockade")))
    return held


def _against_stopping(state: State, seat: int, step: Step) -> Objection:
    ground, space = state.ground, step.move.to
    if step.end in state.discs[seat]:
        if step.bit & state.walls and not ground.third_disc:
            return Objection(("RG-22", "RG-A13"), say("third_disc", space=space))
        return Objection(("RG-A49",), say("lane_taken", space=space))
    if step.bit & state.walls and not ground.hits_blockades:
        return Objection(("RG-22", "RG-A12"), say("lands_on_blockade", space=space))
    rules = ("RG-18", "RG-19", "RG-A09") if is_owners_circle(state, step.bit) else ("RG-18",)
    return Objection(rules, say("safety_taken", space=space))


# --- the whole throw ---


def _against_plan(state: State, throw: Throw, step: Step) -> Objections:
    """A step that could be made for itself, but not on this throw."""
    ground = state.ground
    if ground.breaking == "on_six_or_doublet" and step not in breaking_first(state, throw, open_steps(state, throw)):
        return (Objection(("RG-A14",), say("must_break")),)
    if throw.is_doublet:
        return (Objection(("RG-40", "RG-A38"), say(f"dividing_{ground.doublet_partial}", numbers=throw.open)),)
    return (Objection(("RG-A36",), say("larger_number", number=max(throw.open))),)


def _against_passing(state: State, throw: Throw) -> Objections:
    if held := _against_not_entering(state, throw):
        return tuple(held)
    if is_bound_to_finish(state.ground, throw):
        return (Objection(("RG-40", "RG-A38"), say("must_finish", numbers=throw.open)),)
    return (Objection(("RG-A15",), say("must_move")),)
