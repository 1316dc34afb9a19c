"""What an accepted move does in Siege: the new state, what is said, and the rules that shaped it."""

from __future__ import annotations

from companion.games.siege.ending import MEMORY, hand_over, outcome
from companion.games.siege.ground import COMMANDER, FOOTMAN, KNIGHT, Attempt, make
from companion.games.siege.opening import after_defenders_turn, at_defenders_turn, opening_rules, without
from companion.games.siege.state import COMMANDER_CAPTURED, KNIGHTS_CAPTURED, PLAY, State
from companion.ruling import Accepted
from companion.words import Say, say

CAPTURE_RULES = {KNIGHT: ("SG-41", "SG-32", "SG-33"), FOOTMAN: ("SG-41", "SG-34", "SG-35"), COMMANDER: ("SG-41", "SG-38")}
CROWN_STEP_CAPTURE_RULES = ("SG-41", "SG-39")


def play_knight(state: State, attempt: Attempt) -> Accepted:
    """A legal leap."""
    ground, knights, defenders, commander, _, opening, phase, quiet, seen, gone = state
    start, end = attempt.start, attempt.end
    knights ^= start | end
    if captured := end & (defenders | commander):
        defenders &= ~end
        commander &= ~end
        if not commander:
            phase = COMMANDER_CAPTURED
        opening = without(opening, end)
    elif quiet > MEMORY:
        seen = seen[-MEMORY:]
    if opening.lasts and commander:
        opening = at_defenders_turn(ground, opening, knights, defenders, commander)
    stand = (1, knights, defenders, commander)
    # A Knight outside the Castle never comes back to where he was (SG-13, SG-17).
    seen = (*seen, stand) if start & ground.castle and not captured else (stand,)
    quiet = 0 if captured else quiet + 1
    moved = make(State, (ground, knights, defenders, commander, 1, opening, phase, quiet, seen, gone))
    if captured:
        victim = FOOTMAN if commander else COMMANDER
        return with_end(moved, (*attempt.rules, *CAPTURE_RULES[KNIGHT]), (captures(attempt, victim),))
    if gone or ground.readings_may_end:
        return with_end(moved, attempt.rules, ())
    return make(Accepted, (moved, (), attempt.rules))


def play_defender(state: State, attempt: Attempt) -> Accepted:
    """A legal move of a Defender or the Commander."""
    ground, knights, defenders, commander, _, opening, phase, quiet, seen, gone = state
    start, end, rules = attempt.start, attempt.end, attempt.rules
    said: tuple[Say, ...] = ()
    if attempt.kind == COMMANDER:
        commander = end
    else:
        defenders ^= start | end
    if opening.lasts:
        rules += opening_rules(state)
        opening = after_defenders_turn(ground, opening, start)
        if not opening.lasts:
            rules, said = (*rules, "SG-47"), (say("opening_over"),)
    elif opening.unmoved & start:
        opening = without(opening, start)
    if captured := knights & end:
        knights ^= end
        rules += CROWN_STEP_CAPTURE_RULES if "SG-29" in rules else CAPTURE_RULES[attempt.kind]
        said = (*said, captures(attempt, KNIGHT))
        if not knights:
            phase = KNIGHTS_CAPTURED
    elif quiet > MEMORY:
        seen = seen[-MEMORY:]
    stand = (0, knights, defenders, commander)
    seen = (stand,) if captured else (*seen, stand)
    quiet = 0 if captured else quiet + 1
    moved = make(State, (ground, knights, defenders, commander, 0, opening, phase, quiet, seen, gone))
    if gone or ground.readings_may_end or phase != PLAY:
        return with_end(moved, rules, said)
    return make(Accepted, (moved, said, rules))


def captures(attempt: Attempt, victim: str) -> Say:
    return say("captures", piece=attempt.kind, victim=victim, end=attempt.move.to)


def with_end(state: State, rules: tuple[str, ...], said: tuple[Say, ...]) -> Accepted:
    """The turn passes on, which may end the game."""
    state = hand_over(state)
    if ended := outcome(state):
        return Accepted(state, (*said, ended.why), (*rules, *ended.rules))
    return Accepted(state, said, rules)
