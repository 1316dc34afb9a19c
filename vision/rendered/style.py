"""How a publisher of some year printed this board: papers, inks, borders and lettering, drawn by seed so that no two look alike."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import cv2
import numpy as np

from vision.rendered.chance import chance

Colour = tuple[float, float, float]  # blue, green, red, 0 to 255

ERAS = ("lithograph", "wartime", "poster", "linen", "modern", "parlour")
BORDERS = ("plain", "double", "chain", "corners", "chequer", "none")
FACES = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX)


@dataclass(frozen=True)
class Style:
    era: str
    ground: Colour  # between the spaces
    ink: Colour  # lines and letters
    second: Colour  # the second printing ink: borders, ornaments
    strength: float  # of the art's colours: 1 as in the board file
    hue: float  # how far its inks have drifted, in turns
    fade: float  # towards the paper's colour
    paper: Colour
    border: str
    face: int
    line: float  # width of lines in millimetres
    outline: str  # single, double, soft
    fill: str  # flat, hatch, vignette, waves
    rays: bool
    names: bool  # are names printed in the spaces?
    ids: bool  # and ids where a space has no name?
    grain: float
    halftone: float
    stains: int
    fold: str  # none, half, quarters
    varnish: float


def bgr(code: str) -> Colour:
    return int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16)


def style(seed: int, era: str = "") -> Style:
    dice = chance(seed, "style")
    chosen = str(dice.choice(ERAS))
    era = era or chosen
    dark_ground = era in ("poster", "parlour") or (era == "lithograph" and dice.random() < 0.4)
    hue = float(dice.random())
    ground = _hsv(hue, dice.uniform(0.35, 0.75), dice.uniform(0.25, 0.5)) if dark_ground else _hsv(
        dice.uniform(0.08, 0.18), dice.uniform(0.05, 0.3), dice.uniform(0.8, 0.95)
    )
    if era == "modern" and not dark_ground:
        ground = _hsv(hue, dice.uniform(0.05, 0.35), dice.uniform(0.7, 0.95))
    inks = [(40, 34, 30), (60, 40, 28), (32, 30, 60), (30, 48, 34), (25, 25, 25)]
    ink = tuple(float(v) for v in inks[int(dice.integers(len(inks)))])
    strength = {"poster": 1.9, "modern": 1.5, "wartime": 0.75, "linen": 1.0, "lithograph": 1.2, "parlour": 1.35}[era]
    return Style(
        era=era,
        ground=ground,
        ink=(ink[0], ink[1], ink[2]),
        second=_hsv(dice.random(), dice.uniform(0.4, 0.9), dice.uniform(0.35, 0.75)),
        strength=strength * dice.uniform(0.85, 1.15),
        hue=float(dice.uniform(-0.03, 0.03)),
        fade=float(dice.uniform(0, 0.15 if era in ("poster", "modern") else 0.35)),
        paper=_hsv(dice.uniform(0.09, 0.15), dice.uniform(0.03, 0.25), dice.uniform(0.82, 0.97)),
        border=str(dice.choice(BORDERS)),
        face=int(dice.choice(FACES)),
        line=float(dice.uniform(0.35, 1.3)),
        outline=str(dice.choice(("single", "single", "double", "soft"))),
        fill=str(dice.choice(("flat", "flat", "hatch", "vignette", "waves"))),
        rays=bool(dice.random() < 0.45),
        names=bool(dice.random() < 0.85),
        ids=bool(dice.random() < 0.25),
        grain=float(dice.uniform(0.006, 0.03)),
        halftone=float(dice.uniform(0, 0.12)) if era in ("lithograph", "wartime", "linen") else 0.0,
        stains=int(dice.integers(0, 6)) if era != "modern" else 0,
        fold=str(dice.choice(("none", "half", "half", "quarters"))),
        varnish=float(dice.uniform(0, 1)),
    )


def toned(colour: Colour, times: float, plus: float = 0.0) -> Colour:
    blue, green, red = (min(255.0, times * part + plus) for part in colour)
    return blue, green, red


def _hsv(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(saturation, 1), min(value, 1))
    return blue * 255, green * 255, red * 255


def printed(code: str, look: Style) -> Colour:
    """A colour of the board file as this publisher's inks print it."""
    blue, green, red = (v / 255 for v in bgr(code))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    saturation = min(saturation * look.strength, 0.92)
    value = value * (1.0 if look.strength < 1.1 else 1 - 0.22 * (look.strength - 1.1))
    pure = np.array(_hsv(hue + look.hue, saturation, value))
    blended = pure * (1 - look.fade) + np.array(look.paper) * look.fade * 0.95
    return float(blended[0]), float(blended[1]), float(blended[2])
