"""The special rule of Siege: what the Defender must do in his first four turns (SG-44 to SG-49).

In each of them he moves a Defender off the square it started from, to a square without a dot, unless some piece could be
taken next. What could be taken at each of his turns is kept as it was, whatever the readings make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.events import Move
from companion.games.siege.ground import HIS_OWN, KNIGHTS, NOTHING, Ground
from companion.games.siege.tables import Attempt, footman_moves, make, objection, rows_of
from companion.games.siege.ways import COMMANDER
from companion.ruling import Objection
from companion.words import say

if TYPE_CHECKING:
    from companion.games.siege.state import State

TURNS = 4


class Opening(NamedTuple):
    """The last three are worked out once, when the Defender's turn begins, and hold until it ends."""

    lasts: bool  # do the first four turns still run?
    unmoved: int  # Defenders that never left the square they started from
    risks: tuple[int, ...]  # whose pieces could be taken at each of his turns so far
    risk: int = NOTHING  # and at this one
    lifted: bool = False  # the rule does not apply
    men: int = 0  # it applies and can be kept, so one of these Defenders must move; 0: nobody must


def first_opening(ground: Ground) -> Opening:
    return Opening(True, ground.dots, ())


def at_defenders_turn(ground: Ground, opening: Opening, knights: int, defenders: int, commander: int) -> Opening:
    """Is the rule in force now? Where it cannot be kept, it lapses for the turn (SG-A06, SG-A23)."""
    risk = risk_of(ground, knights, defenders, commander)
    unmoved, risks, lifts = opening.unmoved, opening.risks, ground.lifts
    if lifts[risk] or (ground.lifted_for_good and any(lifts[earlier] for earlier in risks)):  # SG-A16
        return make(Opening, (True, unmoved, risks, risk, True, 0))
    men = men_to_move(ground, defenders, unmoved)
    if not can_be_kept(ground, men, defenders | commander, knights):
        men = 0
    return make(Opening, (True, unmoved, risks, risk, False, men))


def after_defenders_turn(ground: Ground, opening: Opening, left: int) -> Opening:
    """`left` is the square that was left, if one was."""
    risks = (*opening.risks, opening.risk)
    lasts = turns_counted(ground, risks) < TURNS  # SG-47
    return make(Opening, (lasts, opening.unmoved & ~left, risks, NOTHING, False, 0))


def without(opening: Opening, square: int) -> Opening:
    """Nobody is left there who has never moved."""
    return opening._replace(unmoved=opening.unmoved & ~square)


def risk_of(ground: Ground, knights: int, defenders: int, commander: int) -> int:
    """Whose pieces could be taken at the next turn of the other side (SG-48)?"""
    his_own, rows = defenders | commander, ground.knight_rows
    risk = KNIGHTS if taken_by_commander(ground, knights, defenders, commander) else NOTHING
    while knights:
        row = rows[knights.bit_length()]
        knights ^= row.square
        if row.contact & his_own:
            risk |= HIS_OWN if row.reach & his_own else NOTHING
            risk |= KNIGHTS if row.struck_from & defenders else NOTHING
    return risk


def taken_by_commander(ground: Ground, knights: int, defenders: int, commander: int) -> int:
    """The Knights that the Commander could take."""
    row = ground.commander_rows[commander.bit_length()]
    near = row.reach & knights
    return near & ~row.hidden[row.reach & (knights | defenders)] if near else 0


def squares_at_risk(state: State) -> int:
    """Where the pieces stand whose danger lifts the rule in this turn."""
    ground, knights, defenders, commander = state[:4]
    at_risk = 0
    for row in rows_of(ground.knight_rows, knights):
        at_risk |= row.reach & (defenders | commander)
        if row.struck_from & defenders and not ground.own_side_only:
            at_risk |= row.square
    return at_risk if ground.own_side_only else at_risk | taken_by_commander(ground, knights, defenders, commander)


def turns_counted(ground: Ground, risks: tuple[int, ...]) -> int:  # SG-A20
    return len(risks) if ground.exempt_turns_count else sum(not ground.lifts[risk] for risk in risks)


def men_to_move(ground: Ground, defenders: int, unmoved: int) -> int:  # SG-45, SG-A14
    return defenders & ground.dots if ground.any_man_on_a_dot else unmoved


def can_be_kept(ground: Ground, men: int, own: int, knights: int) -> bool:
    """Has `opening_moves` anything to list?"""
    closed = own | ground.dotted
    while men:
        row = ground.footman_rows[men.bit_length()]
        men ^= row.square
        if row.reach & closed | row.straight & knights != row.reach:
            return True
    return False


def opening_moves(ground: Ground, men: int, own: int, knights: int) -> list[Move]:
    """Every move that keeps the rule: also a capture, where the danger of a Knight does not lift it (SG-A17)."""
    return footman_moves(ground.footman_rows, men, own | ground.dotted, knights)  # SG-46


def commander_stays(state: State) -> bool:
    """In a turn in which the rule is lifted: may only Defenders move (SG-49, SG-A19)? Not if none of them can."""
    ground, knights, defenders, commander = state[:4]
    if ground.commander_exempt or not state.opening.lifted:
        return False
    return bool(footman_moves(ground.footman_rows, defenders, defenders | commander, knights))


# --- what the rule says against a move, and about one ---


def turn_number(state: State) -> int:
    return turns_counted(state.ground, state.opening.risks) + 1


def opening_objections(state: State, attempt: Attempt) -> list[Objection]:
    """Asked only at a turn of the first four."""
    ground, men = state.ground, state.opening.men
    held: list[Objection] = []
    if not men:
        if attempt.kind == COMMANDER and commander_stays(state):
            held.append(Objection(("SG-49", "SG-A19"), say("exempt_defender_only")))
        return held
    if attempt.kind == COMMANDER:
        return [Objection(("SG-44",), say("opening_defender_only", turn=turn_number(state)))]
    if not attempt.start & men:
        key = "opening_man_on_dot" if ground.any_man_on_a_dot else "opening_fresh_man"
        held.append(objection(("SG-45", "SG-A14"), key, attempt.move.start))
    if attempt.end & ground.dotted:
        held.append(objection(("SG-46",), "opening_no_dot", attempt.move.to))
    return held


def opening_rules(state: State) -> tuple[str, ...]:
    """The rules of the opening that shape this turn of the Defender."""
    opening = state.opening
    if opening.men:
        return ("SG-44", "SG-45", "SG-46")
    if opening.lifted:
        return ("SG-48", "SG-49") if state.ground.lifts[opening.risk] else ("SG-48", "SG-A16")
    return ("SG-A06",) if men_to_move(state.ground, state.defenders, opening.unmoved) else ("SG-A23",)
