"""What stands against moving a piece in Siege: every rule that forbids it, each with its reason.

Most moves concern nobody but the piece that moves: then the board alone decides, and it has done so already (`ground`).
"""

from __future__ import annotations

from collections.abc import Callable

from companion.games.siege.ending import outcome
from companion.games.siege.moves import moves_of_turn
from companion.games.siege.opening import opening_objections
from companion.games.siege.state import PLACING, PLAY, State
from companion.games.siege.tables import SEATS, Attempt, objection
from companion.games.siege.ways import FOOTMAN
from companion.ruling import Objection, Refused, refuse
from companion.words import say


def refusal_of_knight(state: State, attempt: Attempt) -> Refused | None:
    """Every rule that stands against a leap; None when it is legal."""
    if state.to_move != 0 or state.phase != PLAY:
        return refusal_out_of_turn(state, attempt)
    knights = state.knights  # only they are in a Knight's way (SG-32)
    if not attempt.start & knights:
        return no_such_piece(attempt)
    return refusal_in_full(state, attempt) if attempt.end & knights else attempt.refused


def refusal_of_defender(state: State, attempt: Attempt) -> Refused | None:
    """Every rule that stands against a move of a Defender or the Commander; None when it is legal."""
    ground, knights, defenders, commander, to_move, opening, phase, _, _, _ = state
    if to_move != 1 or phase != PLAY:
        return refusal_out_of_turn(state, attempt)
    if not attempt.start & (defenders if attempt.kind == FOOTMAN else commander):
        return no_such_piece(attempt)
    in_the_way = attempt.path & (knights | defenders | commander)
    if in_the_way and in_the_way != attempt.strike & knights:
        return refusal_in_full(state, attempt)
    if ground.must_escape or (opening.lasts and opening_objections(state, attempt)):
        return refusal_in_full(state, attempt)
    return attempt.refused


def refusal_in_full(state: State, attempt: Attempt) -> Refused | None:
    """The board's objections first, then those that depend on who stands where, then those of the first four turns."""
    held = objections_of_pieces(state, attempt)
    if attempt.side == 1 and state.opening.lasts:
        held += opening_objections(state, attempt)
    if not held:
        if attempt.refused or not exposes_needlessly(state, attempt):
            return attempt.refused
        held.append(Objection(("SG-A22",), say("exposes_commander")))
    return Refused((*(attempt.refused.objections if attempt.refused else ()), *held))


# --- rules that depend on who stands where: do they forbid this move? ---


def own_piece_there(state: State, attempt: Attempt) -> bool:  # SG-10, SG-A11
    own = state.knights if attempt.side == 0 else state.defenders | state.commander
    return bool(attempt.end & own & ~attempt.start)


def commander_jumps(state: State, attempt: Attempt) -> bool:  # SG-28, SG-A09
    return bool(attempt.over & (state.knights | state.defenders))


def knight_on_blue(state: State, attempt: Attempt) -> bool:  # SG-37
    return attempt.kind == FOOTMAN and bool(attempt.end & state.knights & state.ground.blue)


def straight_capture(state: State, attempt: Attempt) -> bool:  # SG-34, SG-36
    return attempt.refused is None and attempt.side == 1 and bool(attempt.end & ~attempt.strike & state.knights)


def exposes_needlessly(state: State, attempt: Attempt) -> bool:  # SG-A22
    return attempt.side == 1 and state.ground.must_escape and attempt.move not in moves_of_turn(state)


OBJECTIONS: tuple[tuple[tuple[str, ...], Callable[[State, Attempt], bool]], ...] = (
    (("SG-10",), own_piece_there),
    (("SG-28",), commander_jumps),
    (("SG-37",), knight_on_blue),
    (("SG-34", "SG-36"), straight_capture),
)


def objections_of_pieces(state: State, attempt: Attempt) -> list[Objection]:
    """Each reason is worded under the rule's name."""
    if not attempt.path & (state.knights | state.defenders | state.commander):
        return []
    return [objection(rules, forbids.__name__, attempt.move.to) for rules, forbids in OBJECTIONS if forbids(state, attempt)]


# --- not now, or not with that piece ---

PLACE_FIRST = Objection(("SG-06", "SG-A27"), say("place_first"))


def no_such_piece(attempt: Attempt) -> Refused:
    return refuse("SG-09", why=say("no_such_piece", piece=attempt.kind, start=attempt.move.start))


def refusal_out_of_turn(state: State, attempt: Attempt) -> Refused:
    if ended := outcome(state):
        return refuse(*ended.rules, why=say("over"))
    first = PLACE_FIRST if state.phase == PLACING else out_of_turn(state)
    return Refused((first, *(attempt.refused.objections if attempt.refused else ())))


def out_of_turn(state: State) -> Objection:
    rules = ("SG-30", "SG-31") if state.knights == state.ground.starts else ("SG-30",)
    return Objection(rules, say("not_your_turn", seat=SEATS[state.to_move]))
