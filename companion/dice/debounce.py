"""A button's contacts bounce for some milliseconds. What counts is a level that has settled. No I/O: time is given.

`edge(level, now)` for every change that was seen; `settled(level, now)` at the time that `due` names, with the level that the pin
has then (an edge may have been missed). The answer is the new level, or None if nothing has changed.
"""

from __future__ import annotations

SETTLE = 0.005  # seconds without a change


class Debounce:
    """One button; `level` is True while it counts as pressed."""

    def __init__(self, level: bool = False, settle: float = SETTLE) -> None:
        self.level = level
        self.due: float | None = None  # when to look again
        self._seen = level
        self._settle = settle

    def edge(self, level: bool, now: float) -> None:
        """The contact changed."""
        self._seen = level
        self.due = now + self._settle

    def settled(self, level: bool, now: float) -> bool | None:
        """It is `now`, and the pin is at `level`: the new level if it has been quiet for long enough."""
        if level != self._seen:
            self.edge(level, now)  # an edge that nobody told us about
        if self.due is None or now < self.due:
            return None
        self.due = None
        if self.level == level:
            return None
        self.level = level
        return level
