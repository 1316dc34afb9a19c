"""What pieces are made of: bodies turned from a profile, by kind of piece, in the material of a set that the seed picks."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from companion.looks import INK, KIND_INK, look
from vision.rendered.chance import chance
from vision.rendered.style import Colour, bgr

Profile = tuple[tuple[float, float], ...]  # (height, radius) from the foot upwards, millimetres


@dataclass(frozen=True)
class Body:
    profile: Profile
    outline: str = "round"  # round, square, triangle, hexagon
    bow: float = 0.0  # how far the top leans forward of the foot, as a horse's head does
    face: str = "plain"  # what is printed on top: plain, advance, retreat, ring, holes, coin
    gloss: float = 0.3
    colour: Colour | None = None  # None: the colour that the piece's name tells

    @property
    def height(self) -> float:
        return self.profile[-1][0]

    @property
    def radius(self) -> float:
        return max(radius for _, radius in self.profile)

    @property
    def foot(self) -> float:
        return self.profile[0][1]

    def scaled(self, factor: float) -> Body:
        return replace(self, profile=tuple((z * factor, r * factor) for z, r in self.profile))


def pawn(height: float, base: float, head: float = 0.36) -> Profile:
    """A turned man: a foot, a waist, and a ball for a head; `head` is its radius as a part of the base's width."""
    foot, ball = base / 2, base * head
    top = height - 2 * ball
    rising = [(0.0, foot * 0.94), (height * 0.04, foot), (height * 0.12, foot * 0.97), (height * 0.22, foot * 0.72),
              (height * 0.4, foot * 0.5), (top * 0.98, foot * 0.4)]  # fmt: skip
    lift = np.linspace(-0.7, 1.0, 9)
    globe = [(top + ball + ball * float(v), ball * float(np.sqrt(max(1 - v * v, 0.0025)))) for v in lift]
    return tuple((z, r) for z, r in (*rising, *globe))


def cone(height: float, base: float) -> Profile:
    foot = base / 2
    return ((0, foot * 0.96), (1.2, foot), (2.4, foot * 0.92), (height * 0.9, foot * 0.3), (height * 0.97, foot * 0.2), (height, foot * 0.05))


def tower(height: float, base: float) -> Profile:
    foot = base / 2
    return ((0, foot), (height * 0.12, foot), (height * 0.2, foot * 0.72), (height * 0.68, foot * 0.62), (height * 0.76, foot * 0.85),
            (height, foot * 0.85))  # fmt: skip


def slab(thickness: float, width: float, bevel: float = 0.3) -> Profile:
    half = width / 2
    return ((0, half - bevel / 2), (min(bevel, thickness / 3), half), (thickness - min(bevel, thickness / 3), half), (thickness, half - bevel))


BUTTON = Body(slab(3.0, 17, 0.8), face="holes", gloss=0.5, colour=(60, 70, 90))
COIN = Body(slab(1.8, 19, 0.2), face="coin", gloss=0.8, colour=(70, 110, 150))


DIE = Body(slab(14.0, 14, 1.5), outline="square", face="pips", gloss=0.4, colour=(225, 235, 238))


def usual_bodies(seed: int) -> dict[str, Body]:
    """A box of pieces: kind -> body. Kinds of unknown games get a disc."""
    dice = chance(seed, "bodies")
    wood = dice.random() < 0.5
    gloss = float(dice.uniform(0.15, 0.35) if wood else dice.uniform(0.35, 0.7))
    grow = float(dice.uniform(0.92, 1.1))
    head = float(dice.uniform(0.3, 0.4))
    marker = slab(2.0, float(dice.uniform(10, 12)))
    prince = Body(pawn(25 * grow, 16 * grow, head), gloss=gloss)
    return {
        "prince": prince,
        "princess": replace(prince, profile=pawn(23 * grow, 16 * grow, head * 0.85)),
        "marker": Body(marker, outline=str(dice.choice(["square", "round"])), gloss=gloss * 0.6),
        "private": Body(pawn(15 * grow, 9 * grow, head), gloss=gloss),
        "captain": Body(pawn(22 * grow, 11.5 * grow, head), gloss=gloss),
        "colonel": Body(pawn(30 * grow, 14 * grow, head), gloss=gloss),
        "knight": Body(cone(26 * grow, 18 * grow), bow=3.0, gloss=gloss),
        "defender": Body(tower(16 * grow, 17 * grow), outline=str(dice.choice(["square", "round"])), face="ring", gloss=gloss),
        "commander": Body(pawn(30 * grow, 19 * grow, head), gloss=gloss),
        "disc": Body(slab(5.0, float(dice.uniform(18, 20)), 0.8), face=str(dice.choice(["plain", "ring"])), gloss=gloss),
        "counter": Body(slab(2.0, 22.0, 0.2), gloss=0.1),
    }


def kind_of(piece: str) -> tuple[str, str]:
    """The colour's name (or "") and the kind: "red-prince" is a red prince, "knight" is a knight of no colour."""
    first, _, rest = piece.partition("-")
    return (first, rest) if first in INK and rest else ("", piece)


def body_of(piece: str, face: str, bodies: Mapping[str, Body]) -> Body:
    _, kind = kind_of(piece)
    if kind in bodies:
        return bodies[kind]
    if face:
        return replace(bodies["counter"], face=face)
    return bodies["disc"]


def paint_of(piece: str, seed: int) -> Colour:
    """The colour of a piece's paint: what its name tells, as this box's maker mixed it."""
    name, kind = kind_of(piece)
    code = INK[name] if name else KIND_INK.get(kind, look(piece).fill)
    blue, green, red = (v / 255 for v in bgr(code))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    dice = chance(seed, "paint", name or kind)
    red, green, blue = colorsys.hsv_to_rgb(
        (hue + float(dice.uniform(-0.015, 0.015))) % 1,
        min(saturation * float(dice.uniform(0.85, 1.15)), 1.0),
        min(max(value * float(dice.uniform(0.85, 1.12)), 0.17), 0.95),
    )
    return blue * 255, green * 255, red * 255
