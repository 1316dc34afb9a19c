"""How pieces look, so that nobody needs to see colours to tell them apart: each has a shape and letters as well.

A piece is called by its colour and kind ("red-prince") or by its kind alone ("knight"). Kinds that are not listed here get a
disc and the first letters of their name, so a new game needs nothing here.
"""

from __future__ import annotations

from typing import NamedTuple

INK = {
    "red": "#c62f2f",
    "blue": "#2c62b8",
    "yellow": "#e2b714",
    "green": "#2f8a4a",
    "black": "#2b2b2b",
    "white": "#f4f1e8",
    "purple": "#6b3fa0",
}
# Where a name has no colour in it.
KIND_INK = {
    "knight": INK["black"], "defender": INK["white"], "commander": INK["red"],
    "infantry": "#4f7a3a", "artillery": "#a33b2e", "aviation": "#3b77b0", "cavalry": "#c39a1f", "engineers": "#6f5a9e",
    "signal-corps": "#d97f30",
}  # fmt: skip
SHAPES = {
    "knight": "triangle", "defender": "square", "commander": "star",
    "prince": "crown", "princess": "crown", "marker": "small-square",
    "private": "disc", "captain": "diamond", "colonel": "star",
}  # fmt: skip


class Look(NamedTuple):
    """Fill colour, colour of the letters, shape, and up to three letters."""

    fill: str
    ink: str
    shape: str
    letters: str


def look(piece: str) -> Look:
    words = piece.split("-")
    colour = words[0] if words[0] in INK and len(words) > 1 else ""
    kind = "-".join(words[1:]) if colour else piece
    fill = INK[colour] if colour else KIND_INK.get(kind, "#8a8a8a")
    shape = SHAPES.get(kind, "disc")
    letters = colour[:1].upper() if kind in ("marker", "disc", "private") and colour else ""
    if not letters:
        letters = colour[:1].upper() + kind[:1].upper() + kind[1:2] if colour else kind[:2].capitalize()
    return Look(fill, ink_on(fill), shape, letters)


def ink_on(ground: str) -> str:
    """Dark or light letters, whichever can be read on this colour."""
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return "#1b1b1b" if 0.3 * red + 0.59 * green + 0.11 * blue > 130 else "#ffffff"
