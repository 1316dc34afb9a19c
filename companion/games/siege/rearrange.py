"""Siege as somebody put it on the board: the same turn and the same opening, as far as the pieces allow that."""

from __future__ import annotations

from companion.game import Terms, first_possible
from companion.games.siege.ground import MEN
from companion.games.siege.position import CAPTURED, NOT_PLACED, from_position, position
from companion.games.siege.state import State, layout
from companion.games.siege.tables import ATTACKER, SEATS
from companion.games.siege.ways import COMMANDER, FOOTMAN, KNIGHT
from companion.layout import Layout, Supply, changes, check_pieces


def pieces(terms: Terms) -> tuple[Supply, ...]:  # SG-01
    return (Supply(KNIGHT, MEN), Supply(FOOTMAN, MEN), Supply(COMMANDER, 1))


def rearrange(state: State, wanted: Layout) -> State:
    """A piece that is missing was captured. What stood before cannot come back, so it is forgotten (SG-A21)."""
    if not changes(layout(state), wanted):
        return state
    terms = state.ground.terms
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    at = {piece: [s.space for s in wanted.standing if s.piece == piece] for piece in (KNIGHT, FOOTMAN, COMMANDER)}
    was = position(state)
    nowhere = NOT_PLACED if was["commander"] == NOT_PLACED else CAPTURED
    kept = was | {"knights": at[KNIGHT], "defenders": at[FOOTMAN], "commander": "".join(at[COMMANDER]) or nowhere}
    del kept["seen"]
    if was["commander"] == NOT_PLACED and at[COMMANDER]:
        kept["to_move"] = ATTACKER  # the Commander has just been placed (SG-31)
    kept["unmoved"] = [square for square in was["unmoved"] if square in at[FOOTMAN]]
    past_opening = {field: value for field, value in kept.items() if field not in ("opening", "unmoved")}
    other_turn = past_opening | {"to_move": SEATS[1 - SEATS.index(kept["to_move"])]}  # after the last Knight or the Commander fell
    found: State = first_possible(wanted, layout, from_position, terms, (kept, past_opening, other_turn))
    return found
