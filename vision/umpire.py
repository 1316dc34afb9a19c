"""From a sighting to a ruling: nothing happened, this move was made, it was taken back, which of these was it, this is not
legal, this is not finished, or I cannot see.

Pure: a game's state and a sighting in, one answer out. The umpire knows no time; whether an answer is believed at once or only
when a second look says the same is for `vision.watch`. Whatever it is not sure of, it does not say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.events import Move
from companion.game import Game
from companion.layout import Change, Layout, Standing, changes
from companion.referee import settled_state
from companion.ruling import Accepted
from vision.expected import completed
from vision.hypotheses import FAULT, LIKELY, PLATFORM, SURE, TAKEN_BACK, Evidence, Explanation, explanations
from vision.marks import EMPTY, Content, Sighting, contents

MOST_ASKED = 8  # choices in one question
PLAINLY = FAULT + SURE / 2  # nats on each space before anybody is told that he did wrong; else all are asked to look


class Past(NamedTuple):
    """An earlier state of the game to which the players may have gone back: the number of the first act taken back."""

    number: int
    layout: Layout


class Nothing(NamedTuple):
    """The board stands as the table knows it."""


class Made(NamedTuple):
    """These legal moves were made, in this order. `margin`: how much worse the next best layout fits, in nats."""

    moves: tuple[Move, ...]
    margin: float


class TakenBack(NamedTuple):
    """Everything from act number `to` on was taken back on the board."""

    to: int
    margin: float


class Ask(NamedTuple):
    """Two or more fit: which was it? Each candidate is a sequence of moves; an empty one means that nothing was moved."""

    candidates: tuple[tuple[Move, ...], ...]
    back: int = 0  # if not 0: it may also be that all from this act on was taken back


class Unfinished(NamedTuple):
    """On the way to a legal layout: a piece in the hand, a captured disc not put back yet. `missing` is what is still to be done."""

    missing: tuple[Change, ...]
    changes: tuple[Change, ...]  # what has been done so far


class Wrong(NamedTuple):
    """No legal explanation: these changes are too many, counted from `state` (some legal moves may have gone before)."""

    changes: tuple[Change, ...]
    put_back: tuple[Change, ...]
    moves: tuple[Move, ...]  # the legal part
    state: Any  # after that part
    spaces: tuple[str, ...] = ()  # where it shows
    least: float = math.inf  # how plainly, in nats, where it shows least

    @property
    def is_sure(self) -> bool:
        """A piece plainly gone here and come there, or the platform. What shows on one space only may as well be a slip of the eye."""
        moved = (change.do == "move" and {change.start, change.to} <= {*self.spaces} for change in self.changes)
        return self.least >= PLAINLY and (any(change.do == "turn" for change in self.changes) or any(moved))


class Hidden(NamedTuple):
    """The decision hangs on what cannot be seen."""

    spaces: tuple[str, ...]
    why: str  # covered, unreadable, doubtful, strange, between
    guess: tuple[Move, ...] = ()  # what it may have been: to be asked, never to be acted on


Seen = Nothing | Made | TakenBack | Ask | Unfinished | Wrong | Hidden


def see(game: Game, state: Any, sighting: Sighting, past: Iterable[Past] = (), strays: int = 1) -> Seen:
    """What happened between the state that the table knows and this picture. `strays`: how many spaces may look wrong beside a
    move that is seen well; they are spoken of afterwards."""
    evidence = Evidence(sighting)
    if sighting.arrow is not None and sighting.arrow.number is None:
        return Hidden((), "between" if evidence.between else "unreadable")
    settled = settled_state(game, state)
    found = explanations(game, settled, evidence)
    root = next(node for node in found if not node.moves)
    if not root.disturbed:
        return Nothing()
    fitting = [node for node in found if _fits(node, root, evidence, strays)]
    backs = _taken_back(evidence, root, past)
    if not fitting and not backs:
        return _unexplained(game, settled, evidence, root, found)
    return _decide(game, evidence, root, fitting, backs)


# --- something legal fits ---


def _fits(node: Explanation, root: Explanation, evidence: Evidence, strays: int) -> bool:
    """Nothing speaks against it; but after moves that are seen well, a space elsewhere may look wrong: that is another matter."""
    faults = _faults(node, FAULT)
    if not faults or not node.moves:
        return not faults
    touched = {space for space in _touched(root.there, node.there) if not _was_never_there(root, node, space, evidence)}
    return len(faults) <= strays and PLATFORM not in faults and not faults.keys() & touched


def _was_never_there(root: Explanation, node: Explanation, space: str, evidence: Evidence) -> bool:
    """A piece that was taken to lie under another, which has gone: nothing is under it."""
    before, now = root.there.get(space, EMPTY), node.there.get(space, EMPTY)
    return bool(now) and set(now) < set(before) and evidence.best(space) == EMPTY


class _Back(NamedTuple):
    past: Past
    there: Mapping[str, Content]
    score: float


def _taken_back(evidence: Evidence, root: Explanation, past: Iterable[Past]) -> list[_Back]:
    """Earlier layouts that fit; of equal ones the latest."""
    backs: dict[tuple[Standing, ...], _Back] = {}
    for earlier in past:
        there = contents(earlier.layout)
        if there == root.there and earlier.layout.platform == root.layout.platform:
            continue
        cost = evidence.cost(there, earlier.layout.platform)
        wrong = evidence.disturbed(there, FAULT) or evidence.against_platform(earlier.layout.platform)
        if not wrong and cost < root.cost:
            backs[tuple(sorted(earlier.layout.standing))] = _Back(earlier, there, cost + TAKEN_BACK)
    return sorted(backs.values(), key=lambda back: back.score)


def _decide(game: Game, evidence: Evidence, root: Explanation, fitting: list[Explanation], backs: list[_Back]) -> Seen:
    if fitting and fitting[0] is root:
        rival = fitting[1].score if len(fitting) > 1 else backs[0].score if backs else root.score + SURE
        return Nothing() if rival - root.score >= SURE else Hidden(_doubtful(root, evidence), "doubtful")
    best_score = min([*(node.score for node in fitting[:1]), *(back.score for back in backs[:1])])
    # What nobody can see is done as the rules expect it: then with it and without it is the same.
    fitting = [completed(game, node, evidence) if node.score < best_score + SURE else node for node in fitting]
    near = [node for node in fitting if node.score < best_score + SURE]
    near_backs = [back for back in backs if back.score < best_score + SURE]
    if not near:
        return _back(evidence, root, near_backs, best_score, fitting)
    best = near[0]
    if near_backs and near_backs[0].there != best.there:
        return Ask(_choices(near), near_backs[0].past.number)
    touched = _touched(root.there, best.there)
    if unseen := _unseen(evidence, touched):
        return unseen._replace(guess=best.moves)
    touched = [space for space in touched if not _was_never_there(root, best, space, evidence)]
    if uncertain := [space for space in touched if evidence.against(space, best.there.get(space, EMPTY)) > FAULT - LIKELY]:
        return Hidden(tuple(uncertain), "doubtful", best.moves)
    others = [node for node in near[1:] if _is_other(game, node, best)]
    if near_backs:
        return Ask(_choices([best, *others]), near_backs[0].past.number)
    if not others:
        next_best = min((n.score for n in fitting if n.there != best.there), default=best.score + FAULT)
        return Made(best.moves, min(next_best, root.score) - best.score)
    return _several(evidence, root, [best, *others])


def _several(evidence: Evidence, root: Explanation, near: list[Explanation]) -> Seen:
    """More than one fits. What they all share was made for certain; the rest is asked, or cannot be seen."""
    differing = {space for node in near[1:] for space in _touched(near[0].there, node.there)}
    common = set(near[0].moves).intersection(*(node.moves for node in near[1:]))
    first = [move for move in near[0].moves if move in common]
    alone = next((node for node in near if len(node.moves) == len(first)), None)
    if alone is not None and first:
        return Made(alone.moves, SURE)
    if unseen := _unseen(evidence, differing):
        return unseen
    return Ask(_choices(near))


def _back(evidence: Evidence, root: Explanation, backs: list[_Back], score: float, fitting: list[Explanation]) -> Seen:
    best = backs[0]
    if unseen := _unseen(evidence, _touched(root.there, best.there)):
        return unseen
    if len(backs) > 1:
        return Hidden(tuple(sorted(_touched(best.there, backs[1].there))), "doubtful")
    return TakenBack(best.past.number, min((n.score for n in fitting), default=root.score) - score)


def _is_other(game: Game, node: Explanation, best: Explanation) -> bool:
    """Really something else: not the same in another order, nor the same way in other steps with the same to follow."""
    if _net(node.moves) != _net(best.moves):
        return True
    if Counter(node.moves) == Counter(best.moves):
        return False
    same_moves = set(game.legal_moves(node.state)) == set(game.legal_moves(best.state))
    return not same_moves or game.due(node.state) != game.due(best.state)


def _net(moves: tuple[Move, ...]) -> Counter[Move]:
    """What the moves come to: a piece that went on from where it had just been put counts as one move."""
    ways: list[Move] = []
    for move in moves:
        before = next((w for w in ways if w.piece and (w.seat, w.piece, w.to) == (move.seat, move.piece, move.start)), None)
        if before:
            ways.remove(before)
            move = before._replace(to=move.to, detail="+".join(sorted((before.detail, move.detail))))
        ways.append(move)
    return Counter(ways)


def _choices(near: list[Explanation]) -> tuple[tuple[Move, ...], ...]:
    return tuple(node.moves for node in near[:MOST_ASKED])


def _touched(before: Mapping[str, Content], after: Mapping[str, Content]) -> list[str]:
    return [space for space in dict.fromkeys((*before, *after)) if before.get(space, EMPTY) != after.get(space, EMPTY)]


def _unseen(evidence: Evidence, spaces: Iterable[str]) -> Hidden | None:
    hidden = tuple(space for space in spaces if space in evidence.hidden)
    if not hidden:
        return None
    if hidden[0] in evidence.strange:
        return Hidden(hidden, "strange")
    return Hidden(hidden, evidence.sighting.beliefs[hidden[0]].hidden or "unreadable")


def _doubtful(node: Explanation, evidence: Evidence) -> tuple[str, ...]:
    return tuple(space for space in node.disturbed if space != PLATFORM)


def _faults(node: Explanation, most: float) -> dict[str, float]:
    return {space: cost for space, cost in node.disturbed.items() if cost > most}


# --- nothing legal fits ---


def _unexplained(game: Game, state: Any, evidence: Evidence, root: Explanation, found: list[Explanation]) -> Seen:
    """The legal sequence after which the fewest changes are left over, and those changes. Doubt is not enough to accuse anybody."""
    nearest = min(found, key=lambda node: (*_how_much(_left_over(node, evidence)), len(node.moves), node.score))
    faults = _faults(nearest, FAULT)
    left = [change for change in _left_over(nearest, evidence) if _evidence(change, faults) > FAULT + SURE]
    if not left:
        return Hidden(tuple(space for space in faults if space != PLATFORM), "doubtful", nearest.moves)
    seen = seen_layout(root, evidence)
    if (missing := _still_missing(game, evidence, root, found, seen)) is not None:
        return Unfinished(missing, changes(root.layout, seen))
    sure = [change for change in left if change.do == "turn" or (change.do == "move" and {change.start, change.to} <= {*faults})]
    left = sure or left
    spaces = dict.fromkeys(space for change in left for space in (change.start, change.to) if space in faults)
    least = min((faults[space] for space in spaces), default=math.inf)
    return Wrong(tuple(left), _way_back(game, nearest, left, evidence), nearest.moves, nearest.state, tuple(spaces), least)


def _how_much(left: tuple[Change, ...]) -> tuple[int, int]:
    """A legal move with the wrong face up is nearer than an illegal move: faces are the hardest thing to see."""
    return sum(change.do != "flip" for change in left), len(left)


def _evidence(change: Change, faults: Mapping[str, float]) -> float:
    """What speaks for a change: one act may show in two places."""
    if change.do == "turn":
        return faults.get(PLATFORM, 0.0)
    return sum(faults.get(space, 0.0) for space in {change.start, change.to})


def seen_layout(node: Explanation, evidence: Evidence) -> Layout:
    """What stands there as far as the camera can tell: this layout, with what it sees where that does not fit."""
    faults = _faults(node, FAULT)
    standing = [s for s in node.layout.standing if s.space not in faults]
    standing += [_standing(mark, space) for space in faults if space != PLATFORM for mark in evidence.best(space)]
    return Layout(tuple(standing), evidence.platform if PLATFORM in faults else node.layout.platform)


def _standing(mark: str, space: str) -> Standing:
    piece, _, face = mark.partition("/")
    return Standing(piece, space, face)


def _left_over(node: Explanation, evidence: Evidence) -> tuple[Change, ...]:
    return changes(node.layout, seen_layout(node, evidence))


def _still_missing(
    game: Game, evidence: Evidence, root: Explanation, found: list[Explanation], seen: Layout
) -> tuple[Change, ...] | None:
    """What is to be done yet, if everything seen lies on the way to a legal layout; None if something leads elsewhere.

    A piece may be in somebody's hand, and a captured one may still lie beside or under the one that took it.
    """
    there, faults = contents(seen), _faults(root, FAULT)
    if PLATFORM in faults and evidence.platform is None:
        return None
    ways = []
    for node in found:
        if not node.moves or (PLATFORM in faults and node.disturbed.get(PLATFORM)):
            continue
        touched = set(_touched(root.there, node.there))
        on_the_way = all(_is_between(root.there.get(s, EMPTY), there.get(s, EMPTY), node.there.get(s, EMPTY)) for s in touched)
        if on_the_way and all(space in touched or space == PLATFORM for space in faults):
            ways.append(changes(seen, node.layout))
    if not ways:
        return None
    fewest = min(map(len, ways))
    shortest = {way for way in ways if len(way) == fewest}
    return shortest.pop() if len(shortest) == 1 else ()


def _is_between(before: Content, now: Content, after: Content) -> bool:
    """Nothing there that neither was nor will be, and nothing gone that stays."""
    was, here, will_be = Counter(before), Counter(now), Counter(after)
    return not here - (was | will_be) and not (was & will_be) - here


def _way_back(game: Game, nearest: Explanation, wrong: list[Change], evidence: Evidence) -> tuple[Change, ...]:
    """To the layout before what was wrong; where the rules leave one single move, on to that one."""
    seen = seen_layout(nearest, evidence)
    after = [v.state for m in game.legal_moves(nearest.state) if isinstance(v := game.rule(nearest.state, m), Accepted)]
    forced = [layout for state in after if (layout := game.layout(state)) != nearest.layout]
    restored = [change for change in changes(seen, nearest.layout) if _undoes(change, wrong)]
    if len(forced) == 1 and len(onward := changes(seen, forced[0])) <= len(restored):
        return onward
    return tuple(restored)


def _undoes(back: Change, wrong: list[Change]) -> bool:
    """Does this act belong to one of the wrong ones?"""
    if back.do == "turn":
        return any(change.do == "turn" for change in wrong)
    return any({back.start, back.to} & {change.start, change.to} - {""} for change in wrong if change.do != "turn")
