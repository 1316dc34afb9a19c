"""The special rule of Siege: what the Defender must do in his first four turns (SG-44 to SG-49).

In each of them he moves a Defender off the square it started from, to a square without a dot, unless some piece could be
taken next. What could be taken at each of his turns is kept as it was, whatever the readings make of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.events import Move
from companion.games.siege.ground import COMMANDER, Attempt, Ground, bits, make, objection, open_moves
from companion.ruling import Objection
from companion.words import say

if TYPE_CHECKING:
    from companion.games.siege.state import State

TURNS = 4
NOTHING, HIS_OWN, KNIGHTS, BOTH = range(4)  # whose pieces could be taken at a turn of the Defender


class Opening(NamedTuple):
    """The last three are worked out once, when the Defender's turn begins, and hold until it ends."""

    lasts: bool  # do the first four turns still run?
    unmoved: int  # Defenders that never left the square they started from
    risks: tuple[int, ...]  # whose pieces could be taken at each of his turns so far
    risk: int = NOTHING  # and at this one
    lifted: bool = False  # the rule does not apply
    binds: bool = False  # it applies, and can be kept


def first_opening(ground: Ground) -> Opening:
    return Opening(True, ground.dots, ())


def at_defenders_turn(ground: Ground, opening: Opening, knights: int, defenders: int, commander: int) -> Opening:
    """Is the rule in force now? Where it cannot be kept, it lapses for the turn (SG-A06, SG-A23)."""
    risk = risk_of(ground, knights, defenders, commander)
    unmoved, risks = opening.unmoved, opening.risks
    if lifts(ground, risk) or (ground.lifted_for_good and any(lifts(ground, earlier) for earlier in risks)):  # SG-A16
        return make(Opening, (True, unmoved, risks, risk, True, False))
    men = men_to_move(ground, defenders, unmoved)
    binds = can_be_kept(ground, men, knights, knights | defenders | commander)
    return make(Opening, (True, unmoved, risks, risk, False, binds))


def after_defenders_turn(ground: Ground, opening: Opening, left: int) -> Opening:
    """`left` is the square that was left, if one was."""
    risks = (*opening.risks, opening.risk)
    lasts = turns_counted(ground, risks) < TURNS  # SG-47
    return make(Opening, (lasts, opening.unmoved & ~left, risks, NOTHING, False, False))


def without(opening: Opening, square: int) -> Opening:
    """Nobody is left there who has never moved."""
    return opening._replace(unmoved=opening.unmoved & ~square)


def risk_of(ground: Ground, knights: int, defenders: int, commander: int) -> int:
    """Whose pieces could be taken at the next turn of the other side (SG-48)?"""
    his_own, reach, struck_from = defenders | commander, ground.knight_reach, ground.struck_from
    risk = KNIGHTS if taken_by_commander(ground, knights, defenders, commander) else NOTHING
    while knights:
        knight = knights & -knights
        knights ^= knight
        if reach[knight] & his_own:
            risk |= HIS_OWN
        if struck_from[knight] & defenders:
            risk |= KNIGHTS
    return risk


def taken_by_commander(ground: Ground, knights: int, defenders: int, commander: int) -> int:
    row = ground.commander_rows[commander]
    if not row.reach & knights:
        return 0
    return sum(a.end for a in row.attempts if a.end & knights and not a.over & (knights | defenders))


def squares_at_risk(state: State) -> int:
    """Where the pieces stand whose danger lifts the rule in this turn."""
    ground, knights, defenders, commander = state[:4]
    at_risk = 0
    for square in bits(knights):
        at_risk |= ground.knight_reach[square] & (defenders | commander)
        if ground.struck_from[square] & defenders and not ground.own_side_only:
            at_risk |= square
    return at_risk if ground.own_side_only else at_risk | taken_by_commander(ground, knights, defenders, commander)


def lifts(ground: Ground, risk: int) -> bool:  # SG-48, SG-A17
    return bool(risk & HIS_OWN) if ground.own_side_only else risk != NOTHING


def turns_counted(ground: Ground, risks: tuple[int, ...]) -> int:  # SG-A20
    return len(risks) if ground.exempt_turns_count else sum(not lifts(ground, risk) for risk in risks)


def men_to_move(ground: Ground, defenders: int, unmoved: int) -> int:  # SG-45, SG-A14
    return defenders & ground.dots if ground.any_man_on_a_dot else unmoved


def can_be_kept(ground: Ground, men: int, knights: int, occupied: int) -> bool:
    """Has `opening_moves` anything to list?"""
    free, targets = ~(occupied | ground.dotted), knights & ~ground.dotted
    while men:
        man = men & -men
        men ^= man
        row = ground.footman_rows[man]
        if row.reach & free or row.strikes & targets:
            return True
    return False


def opening_moves(ground: Ground, men: int, knights: int, occupied: int) -> list[Move]:
    """Every move that keeps the rule: also a capture, where the danger of a Knight does not lift it (SG-A17)."""
    dotted = ground.dotted  # SG-46
    return open_moves(ground.footman_rows, men, occupied | dotted, knights & ~dotted)


def commander_stays(state: State) -> bool:
    """In a turn in which the rule is lifted: may only Defenders move (SG-49, SG-A19)? Not if none of them can."""
    if state.ground.commander_exempt or not state.opening.lifted:
        return False
    occupied = state.knights | state.defenders | state.commander
    return bool(open_moves(state.ground.footman_rows, state.defenders, occupied, state.knights))


# --- what the rule says against a move, and about one ---


def turn_number(state: State) -> int:
    return turns_counted(state.ground, state.opening.risks) + 1


def opening_objections(state: State, attempt: Attempt) -> list[Objection]:
    """Asked only at a turn of the first four."""
    ground, opening = state.ground, state.opening
    if not opening.binds:
        stays = attempt.kind == COMMANDER and commander_stays(state)
        return [Objection(("SG-49", "SG-A19"), say("exempt_defender_only"))] if stays else []
    if attempt.kind == COMMANDER:
        return [Objection(("SG-44",), say("opening_defender_only", turn=turn_number(state)))]
    held = []
    if not attempt.start & men_to_move(ground, state.defenders, opening.unmoved):
        key = "opening_man_on_dot" if ground.any_man_on_a_dot else "opening_fresh_man"
        held.append(objection(("SG-45", "SG-A14"), key, attempt.move.start))
    if attempt.end & ground.dotted:
        held.append(objection(("SG-46",), "opening_no_dot", attempt.move.to))
    return held


def opening_rules(state: State) -> tuple[str, ...]:
    """The rules of the opening that shape this turn of the Defender."""
    if state.opening.binds:
        return ("SG-44", "SG-45", "SG-46")
    if state.opening.lifted:
        return ("SG-48", "SG-49") if lifts(state.ground, state.opening.risk) else ("SG-48", "SG-A16")
    return ("SG-A06",) if men_to_move(state.ground, state.defenders, state.opening.unmoved) else ("SG-A23",)
