"""Fighting Marines as somebody put it on the board: the same stop, the same chips, and a holder for every man who is missing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.events import BadInput
from companion.game import Terms, first_possible
from companion.games.fighting_marines.ground import MEN, RANK, ground_of
from companion.games.fighting_marines.position import from_position, position
from companion.games.fighting_marines.rules import layout
from companion.games.fighting_marines.state import STOP, Captive, State, playing
from companion.layout import Layout, Supply, changes, check_pieces


def pieces(terms: Terms) -> tuple[Supply, ...]:  # FM-05
    return tuple(Supply(man, MEN[RANK[man]]) for man in ground_of(terms).men)


def rearrange(state: State, wanted: Layout) -> State:
    """A man who is missing is a captive; chips stand beside the board and stay as they are."""
    if not changes(layout(state), wanted):
        return state
    terms = state.ground.terms
    check_pieces(wanted, pieces(terms), terms.board.spaces)
    was = position(state)
    men: dict[str, list[str]] = {}
    for standing in wanted.standing:
        men.setdefault(standing.space, []).append(standing.piece)
    kept = was | {
        "arrow": was["arrow"] if wanted.platform is None else wanted.platform,
        "men": men,
        "captives": [captive._asdict() for captive in _captives(state, wanted)],
        "fresh": [id for id in was["fresh"] if id in men],
    }
    not_called = kept | {"called": []}  # "Victory" was called with men who are not there any more (FM-41)
    found: State = first_possible(wanted, layout, from_position, terms, (kept, not_called, _at_a_stop(state, not_called)))
    return found


def _at_a_stop(state: State, kept: dict[str, Any]) -> dict[str, Any]:
    """Somebody has all his men on the platform: that is only ever seen while it stands still (FM-41)."""
    thrower = state.thrower or state.ground.order[0]
    return kept | {"phase": STOP, "first_turn": None, "thrower": thrower, "turn_to": 0, "ready": []}


def _captives(state: State, wanted: Layout) -> list[Captive]:
    """Who was a captive stays one while he is missing, the longest held first; who is missing since now is held by somebody."""
    ground = state.ground
    on_board = Counter(standing.piece for standing in wanted.standing)
    captives: list[Captive] = []
    for man in ground.men:
        if ground.owner_of[man] in state.gone and ground.leaver == "remove_pieces":
            continue
        missing = MEN[RANK[man]] - on_board[man]
        held = sorted((captive for captive in state.captives if captive.man == man), key=lambda captive: captive.since)
        captives += held[:missing]
        captives += [Captive(man, _holder(state, man), state.stop)] * (missing - len(held))
    return captives


def _holder(state: State, man: str) -> str:
    """The board does not tell. It is the player whose throw it is or, for his own men, the next one."""
    owner = state.ground.owner_of[man]
    for seat in playing(state):
        if seat != owner:
            return seat
    raise BadInput(f"pieces: the {man} is missing, and nobody is left who could hold him (FM-24)")
