"""The Royal Game as somebody put it on the board: the same throw is played, as far as the discs allow that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.events import BadInput
from companion.game import Terms, first_possible
from companion.games.royal_game.ground import DISCS, ground_of
from companion.games.royal_game.position import from_position, position
from companion.games.royal_game.rules import layout
from companion.games.royal_game.state import State
from companion.layout import Layout, Supply, changes, check_pieces


def pieces(terms: Terms) -> tuple[Supply, ...]:  # RG-02
    return tuple(Supply(road.piece, DISCS) for road in ground_of(terms).roads)


def rearrange(state: State, wanted: Layout) -> State:
    """Every disc lies somewhere: in its start circle, on its way, or Home."""
    if not changes(layout(state), wanted):
        return state
    terms = state.ground.terms
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    was = position(state)
    kept = was | {"discs": _discs(state, wanted)}
    starts = {road.seat: road.start for road in state.ground.roads}
    for seat, discs in kept["discs"].items():
        kept["captured"][seat] = min(was["captured"][seat], discs.count(starts[seat]))
        kept["first_chances"][seat] = min(was["first_chances"][seat], kept["captured"][seat])
    found: State = first_possible(wanted, layout, from_position, terms, _ways_to_keep(kept))
    return found


def _discs(state: State, wanted: Layout) -> dict[str, list[str]]:
    discs = {}
    for road in state.ground.roads:
        there = [s.space for s in wanted.standing if s.piece == road.piece]
        is_removed = road.seat in state.gone and state.ground.leaver == "remove_pieces"
        if len(there) < DISCS and not is_removed:
            raise BadInput(f"pieces: {DISCS - len(there)} of {road.seat}'s discs are missing; what was captured lies in {road.start}")
        discs[road.seat] = there
    return discs


def _ways_to_keep(kept: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """With the throw as it is; without the steps it has made; without a throw. Nobody moves before it is known who begins."""
    yield kept
    throw = kept["throw"]
    if throw:
        yield kept | {"throw": throw | {"steps": []}}
        yield kept | {"throw": throw | {"steps": [], "goes_out": False}}
        yield kept | {"throw": None}
    if kept["opening"]:
        yield kept | {"opening": None, "turn": kept["opening"]["waiting"][0]}
