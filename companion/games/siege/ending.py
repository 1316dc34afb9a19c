"""How a game of Siege ends, and what a turn that is passed over leaves behind."""

from __future__ import annotations

from companion.games.siege.ground import QUIET_END
from companion.games.siege.moves import moves_of_turn
from companion.games.siege.opening import after_defenders_turn, at_defenders_turn
from companion.games.siege.state import (
    COMMANDER_CAPTURED,
    DRAWN,
    KNIGHTS_CAPTURED,
    LEFT,
    NO_MOVE,
    PLACING,
    PLAY,
    SIEGE_LIFTED,
    State,
)
from companion.games.siege.tables import ATTACKER, DEFENDER, SEATS
from companion.ruling import Outcome
from companion.words import say

MEMORY = 1000  # turns that are remembered, to see a position come back

OUTCOMES = {
    COMMANDER_CAPTURED: Outcome((ATTACKER,), say("commander_captured"), ("SG-02", "SG-42")),
    KNIGHTS_CAPTURED: Outcome((DEFENDER,), say("knights_captured"), ("SG-03", "SG-43")),
    SIEGE_LIFTED: Outcome((DEFENDER,), say("siege_lifted"), ("SG-A21",)),
    DRAWN: Outcome((), say("drawn"), ("SG-A21",)),
    LEFT: Outcome((), say("left"), ("X-A07",)),
}


def outcome(state: State) -> Outcome | None:
    if state.phase in (PLAY, PLACING):
        return None
    return no_move_outcome(state) if state.phase == NO_MOVE else OUTCOMES[state.phase]


def no_move_outcome(state: State) -> Outcome:  # SG-A06
    stuck, other = SEATS[state.to_move], SEATS[1 - state.to_move]
    if state.ground.no_move == "loses":
        return Outcome((other,), say("no_move_loses", seat=stuck), ("SG-A06",))
    return Outcome((), say("no_move_draw", seat=stuck), ("SG-A06",))


def may_claim_draw(state: State) -> bool:  # SG-A21
    ground, seen = state.ground, state.seen
    if len(seen) > 4 and ground.three_times_draws and seen.count(seen[-1]) > 2:
        return True
    return state.quiet >= ground.quiet_turns_draw


def pass_turn(state: State) -> State:
    """The side whose turn it is does nothing. One of the Defender's first four turns is over all the same."""
    ground, knights, defenders, commander, to_move, opening, phase, quiet, seen, gone = state
    if opening.lasts:
        if to_move == 0:
            opening = at_defenders_turn(ground, opening, knights, defenders, commander)
        else:
            opening = after_defenders_turn(ground, opening, 0)
    to_move = 1 - to_move
    seen = (*seen[-MEMORY:], (to_move, knights, defenders, commander))
    return hand_over(State(ground, knights, defenders, commander, to_move, opening, phase, quiet + 1, seen, gone))


def hand_over(state: State) -> State:
    """What follows by itself before the next turn: some readings end the game, and whoever left is passed over (X-A07)."""
    phase = phase_by_readings(state)
    if phase != state.phase:
        return state._replace(phase=phase)
    if phase == PLAY and SEATS[state.to_move] in state.gone:
        return pass_turn(state)
    return state


def phase_by_readings(state: State) -> str:
    """The phase, once the readings SG-A21 and SG-A06 have been asked. A player who left cannot win (X-A07)."""
    ground = state.ground
    if state.phase != PLAY:
        return state.phase
    if ground.siege_can_be_lifted and state.quiet >= QUIET_END:
        return DRAWN if DEFENDER in state.gone else SIEGE_LIFTED
    if ground.no_move_ends and SEATS[state.to_move] not in state.gone and not moves_of_turn(state):
        return DRAWN if state.gone else NO_MOVE
    return PLAY
