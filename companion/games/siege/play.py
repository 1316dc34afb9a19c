"""What an accepted move does in Siege: the new state, what is said, and the rules that shaped it."""

from __future__ import annotations

from functools import cache

from companion.games.siege.ending import MEMORY, hand_over, outcome
from companion.games.siege.opening import after_defenders_turn, at_defenders_turn, opening_rules, without
from companion.games.siege.state import COMMANDER_CAPTURED, KNIGHTS_CAPTURED, State
from companion.games.siege.tables import Attempt, make
from companion.games.siege.ways import COMMANDER, FOOTMAN, KNIGHT
from companion.ruling import Accepted
from companion.words import Say, say

OPENING_OVER = say("opening_over")


def play_knight(state: State, attempt: Attempt) -> Accepted:
    """A legal leap."""
    ground, knights, defenders, commander, _, opening, phase, quiet, seen, gone = state
    end, rules = attempt.end, attempt.rules
    said: tuple[Say, ...] = ()
    knights ^= attempt.both
    if end & (defenders | commander):
        victim = FOOTMAN if end & defenders else COMMANDER
        defenders &= ~end
        commander &= ~end
        if not commander:
            phase = COMMANDER_CAPTURED
        if end & opening.unmoved:
            opening = without(opening, end)
        quiet, seen = -1, ()
        rules, said = attempt.capture_rules, captures(KNIGHT, victim, attempt.move.to)
    elif not attempt.can_be_undone:
        seen = ()
    elif quiet > MEMORY:
        seen = seen[-MEMORY:]
    if opening.lasts and commander:
        opening = at_defenders_turn(ground, opening, knights, defenders, commander)
    seen += ((1, knights, defenders, commander),)
    moved = make(State, (ground, knights, defenders, commander, 1, opening, phase, quiet + 1, seen, gone))
    if gone or ground.readings_may_end or not commander:
        return with_end(moved, rules, said)
    return make(Accepted, (moved, said, rules))


def play_defender(state: State, attempt: Attempt) -> Accepted:
    """A legal move of a Defender or the Commander."""
    ground, knights, defenders, commander, _, opening, phase, quiet, seen, gone = state
    end, rules = attempt.end, attempt.rules
    said: tuple[Say, ...] = ()
    if attempt.kind == COMMANDER:
        commander = end
    else:
        defenders ^= attempt.both
    if end & knights:
        knights ^= end
        if not knights:
            phase = KNIGHTS_CAPTURED
        quiet, seen = -1, ()
        rules, said = attempt.capture_rules, captures(attempt.kind, KNIGHT, attempt.move.to)
    elif quiet > MEMORY:
        seen = seen[-MEMORY:]
    if opening.lasts:
        rules += opening_rules(state)
        opening = after_defenders_turn(ground, opening, attempt.start)
        if not opening.lasts:
            rules, said = (*rules, "SG-47"), (*said, OPENING_OVER)
    elif opening.unmoved & attempt.start:
        opening = without(opening, attempt.start)
    seen += ((0, knights, defenders, commander),)
    moved = make(State, (ground, knights, defenders, commander, 0, opening, phase, quiet + 1, seen, gone))
    if gone or ground.readings_may_end or not knights:
        return with_end(moved, rules, said)
    return make(Accepted, (moved, said, rules))


@cache
def captures(piece: str, victim: str, square: str) -> tuple[Say, ...]:
    return (say("captures", piece=piece, victim=victim, end=square),)


def with_end(state: State, rules: tuple[str, ...], said: tuple[Say, ...]) -> Accepted:
    """The turn passes on, which may end the game."""
    state = hand_over(state)
    if ended := outcome(state):
        return Accepted(state, (*said, ended.why), (*rules, *ended.rules))
    return Accepted(state, said, rules)
