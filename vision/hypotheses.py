"""Which legal sequences of moves could explain what the camera sees.

A best-first search from the state that the table knows. It never lists the whole product of what everybody might do: only moves
that touch a space whose expected content does not fit the picture are tried, one after the other, until nothing is left to
explain. Moves that leave no trace on the board (a pass, an offer of a draw) are never inferred.
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from companion.events import Move
from companion.game import Game
from companion.layout import Layout
from companion.ruling import Accepted
from vision.marks import EMPTY, STRANGE, UNHEARD_OF, Content, Sighting, contents

# Odds, in nats. A ruling needs 1000 to 1. Any one particular wrong change of the board is as rare as 1 in 5000 looks: about one
# look in fifty finds something wrong, and there are a hundred ways of doing wrong.
SURE = math.log(1000)
FAULT = math.log(5000)
LIKELY = math.log(50)  # enough to take what is legal for legal
TAKEN_BACK = math.log(200)  # somebody takes a move back, and the camera is the first to hear of it
# A content that fits worse than this wants an explanation.
DISTURBED = FAULT - SURE

MOST_LOOKED_AT = 300  # states in one search
MANY = 6  # disturbed spaces, above which only one of them is explained at a time
DEEPEST = 16


class Evidence:
    """A sighting, asked the other way round: what speaks against this content there?"""

    def __init__(self, sighting: Sighting) -> None:
        self.sighting = sighting
        # Something unknown on a space (a die, a coin) hides what stands there.
        self.strange = {s for s, b in sighting.beliefs.items() if not b.hidden and b.costs and b.best == STRANGE}
        self.hidden = {s for s, b in sighting.beliefs.items() if b.hidden or not b.costs} | self.strange
        arrow = sighting.arrow
        self.between = arrow.between if arrow and arrow.number is None else None
        self.platform = arrow.number if arrow else None
        self._least = {s: min(b.costs.values()) for s, b in sighting.beliefs.items() if s not in self.hidden}

    def against(self, space: str, content: Content) -> float:
        least = self._least.get(space)
        return 0.0 if least is None else self.sighting.beliefs[space].cost(content) - least

    def against_platform(self, number: int | None) -> float:
        if number is None or self.sighting.arrow is None:
            return 0.0
        return 0.0 if number == self.platform else UNHEARD_OF

    def best(self, space: str) -> Content:
        return self.sighting.beliefs[space].best

    def cost(self, there: Mapping[str, Content], platform: int | None) -> float:
        spaces = sum(self.against(space, there.get(space, EMPTY)) for space in self.sighting.beliefs)
        return spaces + self.against_platform(platform)

    def disturbed(self, there: Mapping[str, Content], most: float = DISTURBED) -> dict[str, float]:
        """Spaces where this content does not fit, with how badly."""
        costs = ((space, self.against(space, there.get(space, EMPTY))) for space in self.sighting.beliefs)
        return {space: cost for space, cost in costs if cost > most}


class Explanation(NamedTuple):
    """A legal sequence of moves and the layout that it leaves, with what speaks against it in nats."""

    moves: tuple[Move, ...]
    state: Any
    layout: Layout
    there: Mapping[str, Content]
    cost: float  # against the picture
    prior: float  # against the moves
    disturbed: Mapping[str, float]  # what it leaves unexplained
    position: str = ""  # of the state that the table knows

    @property
    def score(self) -> float:
        return self.cost + self.prior

    def left(self) -> float:
        return sum(self.disturbed.values())


PLATFORM = ""  # the key under which a wrongly turned platform counts as disturbed


def explanation(game: Game, state: Any, evidence: Evidence) -> Explanation:
    """The state as it is."""
    layout = game.layout(state)
    there = contents(layout)
    disturbed = evidence.disturbed(there)
    if wrong := evidence.against_platform(layout.platform):
        disturbed[PLATFORM] = wrong
    return Explanation((), state, layout, there, evidence.cost(there, layout.platform), 0.0, disturbed, _position(game, state))


def _position(game: Game, state: Any) -> str:
    return json.dumps(game.position(state), sort_keys=True)


def explanations(game: Game, state: Any, evidence: Evidence) -> list[Explanation]:
    """The state as it is, and every legal sequence that explains something of what is seen; the best first."""
    root = explanation(game, state, evidence)
    found = _search(game, root, evidence, one_at_a_time=len(root.disturbed) > MANY)
    if len(root.disturbed) > MANY and all(node.disturbed for node in found):
        found = _search(game, root, evidence, one_at_a_time=False)
    return sorted(found, key=lambda node: (node.score, len(node.moves)))


def _search(game: Game, root: Explanation, evidence: Evidence, *, one_at_a_time: bool) -> list[Explanation]:
    order = count()
    known = {root.position}
    # With each state: who could move before it, and how often the turn has gone over to others on the way.
    heap: list[tuple[float, int, Explanation, frozenset[str], int]] = [(root.left(), next(order), root, frozenset(), 0)]
    found = [root]
    looked_at = 0
    while heap and looked_at < MOST_LOOKED_AT:
        _, _, node, movers_before, passed_on = heapq.heappop(heap)
        if not node.disturbed or len(node.moves) >= min(DEEPEST, len(root.disturbed) + 1):
            continue
        legal = game.legal_moves(node.state)
        movers = frozenset(move.seat for move in legal)
        passed_on += bool(movers_before) and not movers & movers_before
        if passed_on > 1:
            continue  # it may have passed on once while nobody looked; it does not go to and fro
        looked_at += 1
        for child in _children(game, node, legal, evidence, one_at_a_time):
            if len(child.disturbed) > len(node.disturbed) + 1 or (position := _position(game, child.state)) in known:
                continue
            known.add(position)
            found.append(child)
            heapq.heappush(heap, (child.left(), next(order), child, movers, passed_on))
    return found


def _children(
    game: Game, node: Explanation, legal: list[Move], evidence: Evidence, one_at_a_time: bool
) -> Iterator[Explanation]:  # fmt: skip
    spaces = evidence.sighting.beliefs
    touching = [m for m in legal if _touches(m, node.disturbed, spaces)]
    if one_at_a_time:
        for space in node.disturbed:
            if tried := [m for m in touching if space in (m.start, m.to) or (space == PLATFORM and not m.start)]:
                touching = tried
                break
    prior = node.prior + math.log(max(2, len(legal)))
    for move in touching:
        verdict = game.rule(node.state, move)
        if isinstance(verdict, Accepted) and (child := after(game, node, move, verdict.state, evidence, prior)):
            yield child


def after(game: Game, node: Explanation, move: Move, state: Any, evidence: Evidence, prior: float) -> Explanation | None:
    """The explanation that goes on by this move; None if it helps nowhere and disturbs much more. (Two pieces may change places, or one
    steps onto a ground where it is hardly seen and another takes its place: then the first move helps nowhere.)"""
    layout = game.layout(state)
    there = contents(layout)
    cost, disturbed, helps = node.cost, dict(node.disturbed), False
    for space in there.keys() | node.there.keys():
        old, new = node.there.get(space, EMPTY), there.get(space, EMPTY)
        if old != new:
            was, now = evidence.against(space, old), evidence.against(space, new)
            cost += now - was
            helps = helps or was - now > DISTURBED
            disturbed.pop(space, None)
            if now > DISTURBED:
                disturbed[space] = now
    if layout.platform != node.layout.platform:
        was, now = evidence.against_platform(node.layout.platform), evidence.against_platform(layout.platform)
        cost += now - was
        helps = helps or was > now
        disturbed.pop(PLATFORM, None)
        if now:
            disturbed[PLATFORM] = now
    if not helps and (there == node.there or len(disturbed) > len(node.disturbed) + 1):
        return None
    return Explanation((*node.moves, move), state, layout, there, cost, prior, disturbed)


def _touches(move: Move, disturbed: Mapping[str, float], spaces: Mapping[str, Any]) -> bool:
    named = [field for field in (move.start, move.to) if field in spaces]
    return PLATFORM in disturbed or not named or any(space in disturbed for space in named)


def wanted(game: Game, state: Any, past: tuple[Layout, ...] = ()) -> dict[str, tuple[Content, ...]]:
    """What may stand on each space, first what the table knows: for the camera, which weighs only what it is asked about."""
    supplies = game.pieces(state.ground.terms)
    box = [f"{s.piece}/{face}" if face else s.piece for s in supplies for face in (s.faces or ("",))]
    number = {s.piece: s.number for s in supplies}
    now = contents(game.layout(state))
    asked: dict[str, dict[Content, None]] = {}
    for space in state.ground.terms.board.spaces:
        here = now.get(space, EMPTY)
        asked[space] = dict.fromkeys((here, EMPTY, *((mark,) for mark in box)))
        if here:
            pieces = [mark.partition("/")[0] for mark in here]  # nobody can put down more than the box holds
            more = [tuple(sorted((*here, m))) for m in box if pieces.count(p := m.partition("/")[0]) < number[p]]
            less = [here[:place] + here[place + 1 :] for place in range(len(here))]
            asked[space] |= dict.fromkeys((*more, *less))
    for layout in (*past, *_layouts_after(game, state, 2)):
        for space, content in contents(layout).items():
            asked[space][content] = None
    return {space: tuple(considered) for space, considered in asked.items()}


def _layouts_after(game: Game, state: Any, depth: int) -> Iterator[Layout]:
    moves = game.legal_moves(state)
    for move in moves:
        verdict = game.rule(state, move)
        if isinstance(verdict, Accepted):
            yield game.layout(verdict.state)
            if depth > 1 and len(moves) <= 12:
                yield from _layouts_after(game, verdict.state, depth - 1)
