"""A wooden die that someone reads out: "5", "3 4", "3+4" typed on the console or a phone.

    die = TypedDie(queue.put); die.enter("3 4", count=2)       # raises TypedRollError with one line for the player
"""

from __future__ import annotations

import re

from companion.dice.events import DiceRolled, OnEvent
from companion.dice.local_die import LocalDie

MOST_DICE = 5
MOST_TEXT = 60
_BETWEEN = re.compile(r"\s*(?:[\s,;+/&|]|\band\b)\s*", re.IGNORECASE)
_FACE = re.compile("[0-9]{1,3}")  # our own digits only


class TypedRollError(ValueError):
    """What was typed is no roll; the text says what to type instead."""


def parse_roll(text: str, count: int | None = None, sides: int = 6) -> tuple[int, ...]:
    """The faces in a typed text; with `count`, exactly so many. Raises TypedRollError and nothing else."""
    example = " ".join("3425"[: count or 2]) if sides >= 5 else " ".join("1212"[: count or 2])
    words = _BETWEEN.split(text.strip()) if len(text) <= MOST_TEXT else []
    if not words or not all(_FACE.fullmatch(word) for word in words):
        raise TypedRollError(f"Type the faces as numbers, for example: {example}")
    faces = tuple(map(int, words))
    if count is not None and len(faces) != count:
        dice = "One die is" if count == 1 else f"{count} dice are"
        raise TypedRollError(f"{dice} due; type {'its face' if count == 1 else 'each face'}, for example: {example}")
    if len(faces) > MOST_DICE:
        raise TypedRollError(f"At most {MOST_DICE} dice at once.")
    for face in faces:
        if not 1 <= face <= sides:
            raise TypedRollError(f"A die of {sides} sides has no {face}; put a blank between two faces, for example: {example}")
    return faces


class TypedDie(LocalDie):
    """Rolls that people read out."""

    def __init__(self, on_event: OnEvent, source: str = "typed") -> None:
        super().__init__(on_event, source)

    def enter(self, text: str, count: int | None = None, sides: int = 6, cause: str = "") -> DiceRolled:
        """Tell the roll that was typed, or raise TypedRollError."""
        return self.tell(parse_roll(text, count, sides), sides, cause)
