"""A die that this process rolls itself, or is told about: it numbers its rolls, and its name for this run is never used again.

An electronic die has a boot counter; a die that lives only in this process draws a random one instead, so that `DiceRolled.key`
stays unique over restarts.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from companion.dice.events import DiceRolled, OnEvent

Draw = Callable[[int], int]  # sides -> 0 … sides - 1, every one equally likely


class LocalDie:
    """Gives each roll its number and tells it."""

    def __init__(self, on_event: OnEvent, source: str, draw: Draw = secrets.randbelow) -> None:
        self.source = source
        self._on_event, self._draw = on_event, draw
        self._boot = secrets.randbits(48)
        self._number = 0
        self._lock = threading.Lock()

    def roll(self, count: int = 1, sides: int = 6, cause: str = "") -> DiceRolled:
        """Roll this many dice and tell it."""
        if count < 1 or sides < 2:
            raise ValueError(f"cannot roll {count} dice of {sides} sides")
        return self.tell(tuple(self._draw(sides) + 1 for _ in range(count)), sides, cause)

    def tell(self, faces: tuple[int, ...], sides: int = 6, cause: str = "") -> DiceRolled:
        """These faces were rolled, wherever they came from."""
        with self._lock:
            self._number += 1
            number = self._number
        rolled = DiceRolled(self.source, faces, number, self._boot, sides, cause)
        self._on_event(rolled)
        return rolled
