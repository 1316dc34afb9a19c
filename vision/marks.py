"""The words between the eye's parts: what may stand on a space, and how sure the camera is of it.

A *mark* is one visible piece: its name, and its face where it has two ("red-prince", "infantry/retreat"). The *content* of a
space is the sorted bag of its marks; the empty content is ().
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from companion.layout import Layout, Standing

Content = tuple[str, ...]
EMPTY: Content = ()
STRANGE: Content = ("?",)  # something stands there that is none of the known pieces

# How much worse than the best a content is that was never considered, in nats.
UNHEARD_OF = 60.0
SURE = 5.0  # nats to the second best, for whoever wants to be told


def mark(standing: Standing) -> str:
    return f"{standing.piece}/{standing.face}" if standing.face else standing.piece


def contents(layout: Layout) -> dict[str, Content]:
    """What stands on each space that is not empty."""
    there: defaultdict[str, list[str]] = defaultdict(list)
    for standing in layout.standing:
        there[standing.space].append(mark(standing))
    return {space: tuple(sorted(marks)) for space, marks in there.items()}


class Belief(NamedTuple):
    """What the camera believes of one space: a cost in nats for each content considered (0: the best), or why it cannot tell."""

    costs: Mapping[Content, float]
    hidden: str = ""  # "covered" (something lies over it) or "unreadable" (glare, darkness, outside the picture)

    @property
    def best(self) -> Content:
        return min(self.costs, key=lambda content: self.costs[content])

    @property
    def is_sure(self) -> bool:
        """Is what shows beyond doubt? More that may lie hidden under it does not show, and is no rival."""
        if self.hidden or not self.costs:
            return False
        best = self.best
        there = Counter(best)
        rivals = (cost for content, cost in self.costs.items() if content != best and not (best and there <= Counter(content)))
        return min(rivals, default=SURE) >= SURE

    def cost(self, content: Content) -> float:
        """How badly this content explains the picture; nothing can be said against what is hidden."""
        return 0.0 if self.hidden else self.costs.get(content, UNHEARD_OF)


class Arrow(NamedTuple):
    """Where a turning platform stands: the number its arrow points at; None while it stands between two."""

    number: int | None
    degrees: float  # clockwise from where the board file draws it
    between: tuple[int, int] | None = None


class Sighting(NamedTuple):
    """What the camera believes of one still picture."""

    beliefs: Mapping[str, Belief]  # of every space
    arrow: Arrow | None = None  # only on boards with a platform

    @property
    def hidden(self) -> tuple[str, ...]:
        return tuple(space for space, belief in self.beliefs.items() if belief.hidden)
