"""What is said of a step, and the rules that shaped it."""

from __future__ import annotations

from functools import cache

from companion.games.royal_game.after_throw import Rules, Said
from companion.games.royal_game.road import OUT, Step
from companion.games.royal_game.state import State
from companion.games.royal_game.steps import NOBODY
from companion.games.royal_game.throw import Throw
from companion.words import say


def noted(state: State, throw: Throw, step: Step, after: State, victim: int) -> tuple[Said, Rules]:
    """Of a step that enters a disc, breaks or makes a blockade, captures, or gets Home."""
    ground = state.ground
    seat = ground.seats[throw.mover]
    said: Said = ()
    rules = step.rules
    if step.at == OUT and state.tallies[throw.mover].captured:
        rules += ("RG-17",)
    if step.leaves & state.walls:
        rules += ("RG-24",)
    if step.bit & after.walls:
        rules += ("RG-22",)
    if victim != NOBODY:
        key = "captures_blockade" if state.walls & step.bit else "captures"  # RG-A12
        said += captures(key, seat, ground.seats[victim], step.move.to)
        rules += capture_rules(state, throw, step)
    if step.end == ground.roads[throw.mover].home:
        said += (say("reaches_home", seat=seat),)
        if ground.scores:
            rules += ("RG-45",)
        if after.ended:
            said += (say("all_home", seat=seat),)
    return said, rules


@cache
def captures(key: str, seat: str, victim: str, space: str) -> Said:
    return (say(key, seat=seat, victim=victim, space=space),)


def capture_rules(state: State, throw: Throw, step: Step) -> Rules:
    ground = state.ground
    rules: Rules = ("RG-16",)
    if not step.bit & ground.safe:
        rules += ("RG-15",)
    else:
        rules += ("RG-44",) if step.at == OUT and ground.two_dice else ("RG-19", "RG-A09")
    if ground.scores:
        rules += ("RG-42",)
    if throw.mover != state.turn:
        rules += ("RG-A28",)
    return rules
