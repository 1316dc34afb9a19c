"""The legal moves with a throw: single steps, weighed against what the whole throw asks.

A doublet is divided only if all its numbers are used (RG-40); who can move must, unless he would have to capture or to break his
blockade (RG-20, RG-A14, RG-A15). Both ask what could still follow, so steps are tried out here.
"""

from __future__ import annotations

from itertools import pairwise

from companion.events import Move
from companion.games.royal_game.ground import Ground
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import State
from companion.games.royal_game.steps import (
    can_enter,
    carries_blockade,
    is_excused,
    moved,
    must_enter,
    only_entered_disc_moves,
    single_steps,
)
from companion.games.royal_game.throw import Throw


def choices_for(state: State, throw: Throw) -> tuple[Move, ...]:
    """Every legal move of the mover with this throw; none: the rest of it is lost (RG-A16)."""
    steps = allowed_steps(state, throw)
    moves = tuple(step.move for step in steps)
    if steps and may_pass(state, throw, steps):
        return (*moves, state.ground.roads[throw.mover].pass_)
    return moves


def open_steps(state: State, throw: Throw) -> list[Step]:
    """Every step that the open numbers allow, each taken for itself."""
    ground, road = state.ground, state.ground.roads[throw.mover]
    enters = can_enter(state, throw)
    if enters and must_enter(state, throw.mover):
        return [road.enter]
    steps = single_steps(state, throw)
    if only_entered_disc_moves(ground, throw):
        steps = [step for step in steps if step.at == 0]
    if throw.steps:
        steps = [step for step in steps if not carries_blockade(state, throw, step)]
    return [*steps, road.enter] if enters else steps


def allowed_steps(state: State, throw: Throw) -> list[Step]:
    """The steps that may be made now, with regard to the whole throw."""
    steps = open_steps(state, throw)
    if state.ground.breaking == "on_six_or_doublet":
        steps = breaking_first(state, throw, steps)
    if len(throw.open) > 1 and steps:
        if throw.is_doublet:
            return dividing_fairly(state, throw, steps)
        if state.ground.larger_only:
            return larger_first(state, throw, steps)
    return steps


def breaking_first(state: State, throw: Throw, steps: list[Step]) -> list[Step]:
    """On a throw that earns another, a blockade must be broken first, if it can be (RG-A14)."""
    if throw.has_moved or not throw.again:
        return steps
    return [step for step in steps if step.leaves & state.walls] or steps


def larger_first(state: State, throw: Throw, steps: list[Step]) -> list[Step]:
    """If either number can be played but not both, it must be the larger (RG-A36)."""
    if any(_can_use_all(*_tried(state, throw, step)) for step in steps):
        return steps
    return [step for step in steps if max(throw.open) not in throw.left_after(step)] or steps


# --- dividing a doublet (RG-40, RG-A38) ---


def dividing_fairly(state: State, throw: Throw, steps: list[Step]) -> list[Step]:
    ground = state.ground
    using_all = [step for step in steps if _can_use_all(*_tried(state, throw, step))]
    if using_all:
        return using_all
    if ground.doublet_partial == "all_or_nothing":
        return [step for step in steps if step.at == OUT]
    if ground.doublet_partial == "as_many_as_possible":
        return _longest(steps, [_most_steps(*_tried(state, throw, step)) for step in steps])
    if throw.has_moved:
        steps = [step for step in steps if step.at == throw.steps[-1][1]]
    return _longest(steps, [_most_steps(*_tried(state, throw, step), of_disc=step.end) for step in steps])


def is_divided(throw: Throw) -> bool:
    """Have two different discs been moved on this throw?"""
    return any(before[1] != after[0] for before, after in pairwise(step for step in throw.steps if step[0] != OUT))


def _longest(steps: list[Step], lengths: list[int]) -> list[Step]:
    return [step for step, length in zip(steps, lengths, strict=True) if length == max(lengths)]


def _tried(state: State, throw: Throw, step: Step) -> tuple[State, Throw]:
    """State and throw after a step, as far as the rest of the throw needs them."""
    return moved(state, throw.mover, step)[0], throw.after(step)


def _can_use_all(state: State, throw: Throw, freely: bool = False) -> bool:
    """Can all open numbers be used? `freely`: without a step that the mover may refuse."""
    if not throw.open:
        return True
    return any(
        _can_use_all(*_tried(state, throw, step), freely)
        for step in open_steps(state, throw)
        if not freely or not is_excused(state, throw, step)
    )


def _most_steps(state: State, throw: Throw, of_disc: int | None = None) -> int:
    """How many of the open numbers can be used, by all discs or by the one at that place alone."""
    if not throw.open:
        return 0
    lengths = [
        1 + _most_steps(*_tried(state, throw, step), of_disc=None if of_disc is None else step.end)
        for step in open_steps(state, throw)
        if of_disc is None or step.at == of_disc
    ]
    return max(lengths, default=0)


# --- having to move (RG-A15) ---


def may_pass(state: State, throw: Throw, steps: list[Step]) -> bool:
    """May the mover leave the rest of this throw?"""
    ground = state.ground
    if throw.mover != state.turn:
        return True  # RG-31: it counts for him, but nothing makes him use it
    if is_bound_to_finish(ground, throw):
        return False
    if any(step.at == OUT for step in steps) and must_enter(state, throw.mover):
        return False
    if ground.may_pass or all(is_excused(state, throw, step) for step in steps):
        return True
    return len(throw.open) > 1 and throw.is_doublet and not _is_held_to(state, throw)


def is_bound_to_finish(ground: Ground, throw: Throw) -> bool:
    """Whoever has begun to divide a doublet must use all its numbers (RG-40)."""
    if not throw.is_doublet or ground.doublet_partial == "as_many_as_possible":
        return False
    return is_divided(throw) or (ground.doublet_partial == "all_or_nothing" and throw.has_moved)


def _is_held_to(state: State, throw: Throw) -> bool:
    """A doublet that can be used up only with a step that he may refuse need not be begun."""
    if state.ground.doublet_partial == "as_many_as_possible" or not _can_use_all(state, throw):
        return True
    return _can_use_all(state, throw, freely=True)
