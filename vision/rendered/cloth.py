"""What the board lies on: cloths and table tops, drawn as tiles that repeat, and the card or cards that carry the tags."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np

from companion.tags import BAND_MM, CELL_MM, QUIET_MM, TAG_MM, cells, tag_corners
from vision.rendered.art import Print, blank, fill
from vision.rendered.chance import chance
from vision.rendered.style import Colour
from vision.view import Array

CLOTHS = ("planks", "gingham", "plain", "laminate", "linen", "stripes", "dark wood")
TAG_STYLES = ("band", "loose", "underlay")
TILE_MM, TILE_SCALE = 512, 2
WHITE: Colour = (238.0, 240.0, 241.0)


@lru_cache(2)
def cloth(seed: int, kind: str = "") -> Array:
    """A tile of table, TILE_MM wide, that repeats without a seam."""
    dice = chance(seed, "cloth")
    chosen = str(dice.choice(CLOTHS))
    kind = kind or chosen
    size = TILE_MM * TILE_SCALE
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / TILE_SCALE
    colour, other = _two_colours(dice)
    weave = 1 + 0.05 * np.sin(2 * np.pi * x / 2) * np.sin(2 * np.pi * y / 2)
    if kind in ("planks", "dark wood"):
        tile = _wood(dice, x, y, dark=kind == "dark wood")
    elif kind == "gingham":
        side = TILE_MM / float(dice.choice([8, 16, 24]))
        across = ((x // side) % 2 + (y // side) % 2) / 2
        tile = (other + (colour - other) * across[..., None]) * weave[..., None]
    elif kind == "stripes":
        side = TILE_MM / float(dice.choice([16, 32]))
        tile = np.where(((x // side) % 3 == 0)[..., None], colour, other) * weave[..., None]
    elif kind == "laminate":
        specks = 5 * _clouds(dice, size, 16) + 4 * _clouds(dice, size, 128) + 3 * _clouds(dice, size, 512)
        tile = np.array([196.0, 200, 203]) * dice.uniform(0.55, 1.0) + specks[..., None]
    elif kind == "linen":
        tile = (0.75 * other + 40) * (weave + 0.05 * _clouds(dice, size, 256))[..., None]
    else:
        tile = colour * (weave + 0.03 * _clouds(dice, size, 8))[..., None]
    tile = tile + 2.5 * dice.standard_normal((size, size, 1))
    return np.clip(tile, 4, 250).astype(np.uint8)


def _two_colours(dice: np.random.Generator) -> tuple[Array, Array]:
    hue = int(dice.integers(0, 180))
    dark = [hue, dice.integers(60, 190), dice.integers(70, 150)]
    pale = [hue, dice.integers(5, 40), dice.integers(185, 235)]
    both = cv2.cvtColor(np.array([[dark, pale]], np.uint8), cv2.COLOR_HSV2BGR)[0].astype(float)
    return both[0], both[1]


def _clouds(dice: np.random.Generator, size: int, grains: int) -> Array:
    """Soft noise that repeats at the tile's edges."""
    seeds = dice.standard_normal((grains, grains)).astype(np.float32)
    around = np.pad(seeds, 2, mode="wrap")
    step = size // grains
    big = cv2.resize(around, ((grains + 4) * step, (grains + 4) * step), interpolation=cv2.INTER_CUBIC)
    return np.asarray(cv2.resize(big[2 * step : -2 * step, 2 * step : -2 * step], (size, size)))


def _wood(dice: np.random.Generator, x: Array, y: Array, dark: bool) -> Array:
    planks = int(dice.choice([4, 5, 6]))
    wide = TILE_MM / planks
    number = (y // wide).astype(int) % planks
    drift = _clouds(dice, x.shape[0], 8)
    rows = y / TILE_MM * planks * 6
    grain = np.sin(2 * np.pi * (rows + 0.55 * drift + 0.35 * np.sin(2 * np.pi * x / TILE_MM + number)))
    fine = cv2.GaussianBlur(dice.standard_normal(x.shape).astype(np.float32), (0, 0), sigmaX=14, sigmaY=0.8) * 5
    base = np.array([52.0, 92, 140]) if not dark else np.array([28.0, 42, 66])
    tone = dice.uniform(0.85, 1.15, planks)[number] + 0.05 * grain + 0.06 * fine
    gap = np.minimum(y % wide, wide - y % wide) < 0.6
    return np.asarray(base * (tone * np.where(gap, 0.6, 1.0))[..., None])


@dataclass(frozen=True)
class Tags:
    """The sheet that carries the tags, and where each tag's corners lie: millimetres of the board where it lay first."""

    page: Print
    corners: dict[int, Array]  # (4, 2) top left, top right, bottom right, bottom left, as OpenCV orders them


@lru_cache(2)
def tags_round(size_mm: tuple[float, float], ids: tuple[int, ...], hidden: tuple[int, ...], seed: int, kind: str = "") -> Tags:
    dice = chance(seed, "tags")
    chosen = str(dice.choice(TAG_STYLES))
    kind = kind or chosen
    width, height = size_mm
    reach = BAND_MM + 32
    page = blank(-reach, -reach, width + reach, height + reach)
    if kind == "band" and ids:
        fill(page, _box(-BAND_MM, -BAND_MM, width + BAND_MM, height + BAND_MM), WHITE)
    elif kind == "underlay" and ids:
        shade = dice.uniform(60, 170, 3)
        fill(page, _box(-62, -62, width + 62, height + 62), (shade[0], shade[1], shade[2]))
    corners = {}
    for tag, straight in tag_corners(size_mm).items():
        square = np.array(straight)
        if kind != "band":
            square = _laid(square, size_mm, dice)
        if tag in ids:
            corners[tag] = square
            _tag(page, square, tag)
    for tag in hidden:
        if tag in corners:
            _over(page, corners[tag], dice)
    soft = np.clip(np.round(cv2.GaussianBlur(dice.standard_normal(page.sheet.shape[:2], np.float32), (0, 0), 1.2) * 5), -99, 99)
    grain = soft.astype(np.int8)
    cv2.add(page.sheet, cv2.merge([grain, grain, grain, np.zeros_like(grain)]), dst=page.sheet, dtype=cv2.CV_8U)
    return Tags(page, corners)


def _box(x0: float, y0: float, x1: float, y1: float) -> Array:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _laid(square: Array, size_mm: tuple[float, float], dice: np.random.Generator) -> Array:
    """A small card put down by hand: a little out, a little along, turned by quarters and askew."""
    middle = square.mean(0)
    board = np.array(size_mm) / 2
    out = np.sign(np.where(np.abs(middle - board) > board, middle - board, 0.0))
    middle = middle + out * dice.uniform(0, 14, 2) + (out == 0) * dice.uniform(-40, 40, 2)
    angle = radians(90 * int(dice.integers(4)) + dice.uniform(-6, 6))
    spin = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    return np.asarray((square - square.mean(0)) @ spin.T + middle)


def _tag(page: Print, square: Array, tag: int) -> None:
    across, down = (square[1] - square[0]) / TAG_MM, (square[3] - square[0]) / TAG_MM

    def part(x0: float, y0: float, x1: float, y1: float) -> Array:
        return np.array([square[0] + across * x + down * y for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))])

    fill(page, part(-QUIET_MM, -QUIET_MM, TAG_MM + QUIET_MM, TAG_MM + QUIET_MM), WHITE)
    black: Colour = (30.0, 28.0, 28.0)
    trim = 0.5 / 4  # cv2 fills up to and including the edge: half a pixel of the sheet too much on each side
    for column, row in cells(tag):
        x, y = column * CELL_MM, row * CELL_MM
        left, top = (trim if column == 0 else 0), (trim if row == 0 else 0)
        right, bottom = (trim if column == 5 else 0), (trim if row == 5 else 0)
        fill(page, part(x + left, y + top, x + CELL_MM - right, y + CELL_MM - bottom), black)


def _over(page: Print, square: Array, dice: np.random.Generator) -> None:
    """Something flat that lies over a tag: a playing card, face down."""
    angle = dice.uniform(0, np.pi)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shape = _box(-30, -43, 30, 43)
    place = square.mean(0) + dice.uniform(-6, 6, 2)
    back = dice.uniform(40, 160, 3)
    fill(page, shape @ spin.T + place, WHITE)
    fill(page, shape * 0.9 @ spin.T + place, (back[0], back[1], back[2]))
    for x in np.arange(-24, 25, 6.0):
        for y in np.arange(-36, 37, 6.0):
            lozenge = np.array([[x, y - 2], [x + 2, y], [x, y + 2], [x - 2, y]])
            fill(page, lozenge @ spin.T + place, WHITE)
