"""Kop the Kaiser as somebody put it on the board: the dice stay where they are, and whoever was moved by hand owes no move."""

from __future__ import annotations

from typing import Any

from companion.game import Terms, first_possible
from companion.games.kop_the_kaiser.ground import ADVANCE, RETREAT, ground_of
from companion.games.kop_the_kaiser.position import VANQUISHED, from_position, position
from companion.games.kop_the_kaiser.rules import layout, skip
from companion.games.kop_the_kaiser.state import State
from companion.layout import Layout, Supply, changes, check_pieces


def pieces(terms: Terms) -> tuple[Supply, ...]:  # KK-04
    return tuple(Supply(army, 1, (ADVANCE, RETREAT)) for army in ground_of(terms).owner)


def rearrange(state: State, wanted: Layout) -> State:
    """An army that is missing is vanquished (KK-35)."""
    if not changes(layout(state), wanted):
        return state
    terms, ground = state.ground.terms, state.ground
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    places = {s.piece: {"space": s.space, "face": s.face} for s in wanted.standing}
    before = position(state)["armies"]
    for army, seat in ground.owner.items():
        if state.order(seat) and places.get(army) != before[army]:
            state = skip(state, seat)
    was = position(state)
    removed = {army for army, seat in ground.owner.items() if seat in state.gone and ground.removes_leavers}
    kept = was | {"armies": {army: before[army] if army in removed else places.get(army, VANQUISHED) for army in before}}
    if state.roll_off:  # it comes before anybody moves (KK-06)
        kept |= {"roll_off": None, "dice": (*state.roll_off.waiting, *ground.seats)[0]}
    found: State = first_possible(wanted, layout, from_position, terms, (kept, *(_with_dice(kept, s) for s in ground.seats)))
    return found


def _with_dice(kept: dict[str, Any], seat: str) -> dict[str, Any]:
    """Another player has the dice, because who had them is out (KK-A28)."""
    return kept | {"dice": seat, "number": 0, "failed": 0, "throw": 0, "owed": {}}
