"""The throw for the first turn: everybody throws once, the best total starts, ties throw again (X-A01, X-A02).

Shared by the games whose leaflet begins so. A `RollOff` is part of a game's state until somebody is alone in front.
"""

from __future__ import annotations

from typing import NamedTuple


class RollOff(NamedTuple):
    """Who still has to throw, and what the others threw in this round."""

    waiting: tuple[str, ...]
    thrown: tuple[tuple[str, int], ...] = ()

    def throw(self, seat: str, total: int, *, lowest: bool, everybody: tuple[str, ...]) -> RollOff | str:
        """After this throw: the seat that starts, or the roll-off that goes on.

        `everybody` are the seats that throw again after a tie; pass an empty tuple for 'only those who tied'.
        """
        thrown = (*self.thrown, (seat, total))
        waiting = tuple(s for s in self.waiting if s != seat)
        if waiting:
            return RollOff(waiting, thrown)
        best = (min if lowest else max)(t for _, t in thrown)
        in_front = tuple(s for s, t in thrown if t == best)
        if len(in_front) == 1:
            return in_front[0]
        return RollOff(everybody or in_front)


def seats_from(seats: tuple[str, ...], first: str, clockwise: bool = True) -> tuple[str, ...]:
    """The seats in order of play, beginning with one of them. `seats` are given clockwise."""
    order = seats if clockwise else seats[::-1]
    at = order.index(first)
    return order[at:] + order[:at]
