"""What the rules still expect of whoever moved last, and what of it nobody can see: a marker that lies under its own Prince.

What cannot be seen comes from the game: such a marker is taken to lie where the leaflet wants it, until a picture speaks against it.
"""

from __future__ import annotations

from typing import Any

from companion.events import Move
from companion.game import Game
from companion.ruling import Accepted
from vision.hypotheses import LIKELY, Evidence, Explanation, after
from vision.marks import EMPTY


def still_to_do(game: Game, state: Any, seat: str) -> list[Move]:
    """What this seat may still do on the board before the others go on, and is reminded of: nothing else is due from it."""
    dues = [due for due in game.due(state) if due.seat == seat]
    if not dues or not all(due.optional for due in dues):
        return []
    now = game.layout(state)
    return [move for move in game.legal_moves(state) if move.seat == seat and game.layout(_after(game, state, move)) != now]


def _after(game: Game, state: Any, move: Move) -> Any:
    verdict = game.rule(state, move)
    assert isinstance(verdict, Accepted), "a legal move"
    return verdict.state


def completed(game: Game, node: Explanation, evidence: Evidence) -> Explanation:
    """With all that was still to be done, and would not show if it were done."""
    while node.moves:
        todo = still_to_do(game, node.state, node.moves[-1].seat)
        children = (after(game, node, move, _after(game, node.state, move), evidence, node.prior) for move in todo)
        done = next((child for child in children if child and _would_not_show(node, child, evidence)), None)
        if done is None:
            break
        node = done
    return node


def _would_not_show(node: Explanation, child: Explanation, evidence: Evidence) -> bool:
    """Is all that is new under something that stands there anyway, as far as the picture can tell?"""
    differing = [space for space in child.there.keys() | node.there.keys() if child.there.get(space) != node.there.get(space)]
    for space in differing:
        before, now = node.there.get(space, EMPTY), child.there.get(space, EMPTY)
        if not before or set(before) - set(now) or evidence.against(space, now) > evidence.against(space, before) + LIKELY:
            return False
    return bool(differing) and child.layout.platform == node.layout.platform
