"""A die for machines without any: rolled by the operating system's own random source, or from a seed for tests.

    die = SimulatedDie(queue.put); die.roll(2)
"""

from __future__ import annotations

import random
import secrets

from companion.dice.events import OnEvent
from companion.dice.local_die import LocalDie


class SimulatedDie(LocalDie):
    """`seed` makes the same rolls every time: for tests and demonstrations, never for a game."""

    def __init__(self, on_event: OnEvent, source: str = "simulated", seed: int | None = None) -> None:
        draw = secrets.randbelow if seed is None else random.Random(seed).randrange
        super().__init__(on_event, source, draw)
