"""What comes between the camera and the board: arms with hands, and mugs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin

import cv2
import numpy as np

from vision.rendered.bodies import Body
from vision.rendered.chance import chance
from vision.rendered.sprites import Placed, Sprite, Stand, draw_body
from vision.rendered.style import Colour
from vision.view import Array, View

SKINS: tuple[Colour, ...] = ((120, 150, 205), (105, 135, 190), (85, 115, 165), (60, 85, 130), (40, 58, 92))
SLEEVES: tuple[Colour, ...] = ((110, 70, 45), (60, 110, 60), (50, 50, 140), (150, 150, 155), (40, 40, 45), (90, 140, 190), (140, 110, 150))


@dataclass(frozen=True)
class Hand:
    """An arm from the table's edge: where its fingertips are (board mm), from which side it comes, how high it is."""

    at: tuple[float, float]
    side: float = 180.0  # degrees clockwise from the top: 180 comes from the bottom edge
    height: float = 30.0
    pose: str = "reach"  # reach, flat or fist
    motion: tuple[float, float] = (0.0, 0.0)  # millimetres that it moves while the picture is taken
    seed: int = 0  # whose hand it is: skin, sleeve, size


@dataclass(frozen=True)
class Mug:
    """A mug seen from above: where it stands, in board millimetres."""

    at: tuple[float, float]
    seed: int = 0
    radius: float = 40.0
    height: float = 95.0


Cover = Hand | Mug


@dataclass(frozen=True)
class Limb:
    """A rounded tube between two points (x, y, height), with a radius at each, and its colour."""

    start: Array
    end: Array
    radii: tuple[float, float]
    colour: Colour
    rough: float = 0.0


def limbs(hand: Hand) -> list[Limb]:
    """The arm as tubes, from the shoulder to the fingertips."""
    dice = chance(hand.seed, "hand")
    skin = SKINS[int(dice.integers(len(SKINS)))]
    sleeve = SLEEVES[int(dice.integers(len(SLEEVES)))]
    angle = radians(hand.side)
    out = np.array([sin(angle), -cos(angle)])
    side = np.array([-out[1], out[0]])
    size = float(dice.uniform(0.85, 1.1))

    def spot(back: float, across: float, up: float) -> Array:
        return np.array([*(np.array(hand.at) + size * (back * out + across * side)), max(hand.height + up, 4.0)])

    bare = float(dice.uniform(0, 60))
    parts = [
        Limb(spot(185 + bare, 10, 22), spot(900, 120, 90), (38 * size, 58 * size), sleeve, 0.1),
        Limb(spot(150, 5, 8), spot(260 + bare, 14, 22), (24 * size, 33 * size), skin),
        Limb(spot(92, 15, 4), spot(150, 8, 6), (21 * size, 23 * size), skin),
        Limb(spot(92, -13, 4), spot(150, 0, 6), (21 * size, 23 * size), skin),
    ]
    reach = {"reach": (2.0, 30.0, 34.0, 42.0), "flat": (18.0, 2.0, 8.0, 26.0), "fist": (62.0, 60.0, 62.0, 66.0)}[hand.pose]
    for finger, tip in enumerate(reach):
        across = 26 - 17.0 * finger
        middle = (tip + 92) / 2
        parts.append(Limb(spot(middle, across * 1.02, 6), spot(92, across, 6), (8.5 * size, 10 * size), skin))
        end = spot(tip + 6, across * (0.6 if hand.pose == "reach" else 1.05), -10)
        parts.append(Limb(end, spot(middle, across * 1.02, 6), (7 * size, 8.5 * size), skin))
    thumb = 14.0 if hand.pose == "reach" else 58.0
    parts.append(Limb(spot(thumb + 40, 46, 0), spot(118, 30, 6), (10 * size, 13 * size), skin))
    parts.append(Limb(spot(thumb, 22 if hand.pose == "reach" else 44, -10), spot(thumb + 40, 46, 0), (8 * size, 10 * size), skin))
    return parts


def draw_limbs(tubes: list[Limb], view: View, stand: Stand) -> Sprite | None:
    """Tubes of one colour, melted into one smooth shape: their heights are joined, and the light follows that relief."""
    ends = [view.pixels(np.array([tube.start, tube.end])).astype(float) for tube in tubes]
    sizes = [(tube.radii[0] * _scale(view, tube.start), tube.radii[1] * _scale(view, tube.end)) for tube in tubes]
    corners = np.array([[p - r - 4, p + r + 5] for two, radii in zip(ends, sizes, strict=True) for p, r in zip(two, radii, strict=True)])
    frame = np.array(view.size)
    left, top = np.clip(np.floor(corners[:, 0].min(0)), 0, frame).astype(int)
    right, bottom = np.clip(np.ceil(corners[:, 1].max(0)), 0, frame).astype(int)
    if left >= right or top >= bottom:
        return None
    relief: Array = np.zeros((bottom - top, right - left), np.float32)
    cover = np.zeros_like(relief)
    lowest = min(min(tube.start[2] - tube.radii[0], tube.end[2] - tube.radii[1]) for tube in tubes)
    scale = _scale(view, tubes[0].start)
    for tube, two, radii in zip(tubes, ends, sizes, strict=True):
        rises = (scale * (tube.start[2] - lowest), scale * (tube.end[2] - lowest))
        _raise(relief, cover, two - [left, top], radii, rises, cut=tube.rough > 0)
    first = tubes[0]
    if first.rough:
        relief = relief + _folds(relief.shape, first.colour, 3.0 * scale) * cover
    shade = _relief_light(cv2.GaussianBlur(relief, (0, 0), max(2.2 * scale, 0.8)), tubes[-1], stand)
    if first.rough:
        weave = chance("weave", first.colour).standard_normal(relief.shape, np.float32)
        shade *= (1 + first.rough * cv2.GaussianBlur(weave, (0, 0), 1.0) * 2)[..., None]
    ink = ((np.array(first.colour) / 255) ** 2.2).astype(np.float32)
    return Sprite(int(left), int(top), shade * ink * cover[..., None], cover)


def _raise(relief: Array, cover: Array, ends: Array, radii: tuple[float, float], rises: tuple[float, float], cut: bool) -> None:
    """Add a tube to a relief, in its own pixels; a sleeve is cut off at its start, all else is round."""
    (a, b), (ra, rb) = ends, radii
    high, wide = relief.shape
    x0, y0 = np.clip(np.floor(np.minimum(a - ra, b - rb)).astype(int) - 1, 0, [wide, high])
    x1, y1 = np.clip(np.ceil(np.maximum(a + ra, b + rb)).astype(int) + 2, 0, [wide, high])
    if x0 >= x1 or y0 >= y1:
        return
    x, y = np.arange(x0, x1, dtype=np.float32), np.arange(y0, y1, dtype=np.float32)[:, None]
    along = b - a
    length = max(float(np.hypot(*along)), 1e-3)
    forward = ((x - a[0]) * along[0] + (y - a[1]) * along[1]) / length
    t = np.clip(forward / length, 0, 1)
    far = np.hypot(x - a[0] - t * along[0], y - a[1] - t * along[1])
    radius = ra + (rb - ra) * t
    part = slice(y0, y1), slice(x0, x1)
    bulge = np.sqrt(np.maximum(radius**2 - far**2, 0)) + rises[0] + (rises[1] - rises[0]) * t
    edge = np.minimum(radius - far, forward + 0.12 * (radius - far)) if cut else radius - far
    relief[part] = np.maximum(relief[part], np.where(edge > 0, bulge, 0))
    cover[part] = np.maximum(cover[part], np.clip(edge + 0.5, 0, 1))


def _folds(shape: tuple[int, ...], colour: Colour, depth: float) -> Array:
    """Creases of a sleeve."""
    small = chance("folds", colour).standard_normal((shape[0] // 14 + 2, shape[1] // 14 + 2), np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC) * depth)


def _relief_light(relief: Array, tube: Limb, stand: Stand) -> Array:
    """Light on a relief given in pixels. The picture's own axes serve as the table's: the camera looks down."""
    dx, dy = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=1 / 8)
    up = 1 / np.sqrt(1 + dx * dx + dy * dy)
    here = stand.point((float(tube.start[0]), float(tube.start[1])), float(tube.start[2]))
    shade = stand.light.room.astype(np.float32) * (0.55 + 0.45 * up)[..., None]
    shaded = stand.light.player(here)
    for lamp in stand.light.conditions.lamps:
        way = stand.light.place(lamp) - here
        way = way / np.linalg.norm(way)
        straight = float(stand.light.from_lamp(lamp, here)) / way[2]
        facing = np.clip((-dx * way[0] - dy * way[1] + way[2]) * up, 0, None) * (straight * float(shaded))
        shade += facing[..., None] * stand.light.tint(lamp).astype(np.float32)
    return shade


def _scale(view: View, point: Array) -> float:
    around = view.pixels(np.array([point, point + [5.0, 0, 0], point + [0, 5.0, 0]]))
    return float(np.hypot(*(around[1] - around[0])) + np.hypot(*(around[2] - around[0]))) / 10


def mug_body(mug: Mug) -> Placed:
    dice = chance(mug.seed, "mug")
    colour = tuple(float(v) for v in dice.uniform(40, 230, 3))
    foot, tall = mug.radius, mug.height
    profile = ((0.0, foot * 0.9), (4.0, foot * 0.95), (tall * 0.3, foot), (tall - 1.5, foot), (tall, foot * 0.99))
    return Placed(Body(profile, face="coffee", gloss=0.5), (colour[0], colour[1], colour[2]), mug.at, 0.0, float(dice.uniform(0, 360)))


def mug_handle(mug: Mug) -> list[Limb]:
    placed = mug_body(mug)
    angle = radians(placed.turn)
    out = np.array([cos(angle), sin(angle)])
    rise = np.radians(np.linspace(-70, 70, 6))
    knots = [
        np.array([*(np.array(mug.at) + out * (mug.radius - 2 + 24 * cos(a))), mug.height * 0.52 + mug.height * 0.3 * sin(a)]) for a in rise
    ]
    return [Limb(a, b, (5.5, 5.5), placed.paint) for a, b in pairwise(knots)]


def draw_cover(cover: Cover, view: View, stand: Stand) -> list[Sprite]:
    """The sprites of a hand or mug, the lowest first."""
    if isinstance(cover, Mug):
        handle = draw_limbs(mug_handle(cover), view, stand)
        return [part for part in (handle, draw_body(mug_body(cover), view, stand)) if part is not None]
    tubes = limbs(cover)
    skin, sleeve = [t for t in tubes if not t.rough], [t for t in tubes if t.rough]
    parts = [draw_limbs(skin, view, stand), draw_limbs(sleeve, view, stand)]
    return [_smeared(part, cover, view) for part in parts if part is not None]


def _smeared(sprite: Sprite, hand: Hand, view: View) -> Sprite:
    """A hand that moves during the exposure."""
    tip = np.array([[*hand.at, hand.height], [*hand.at, hand.height]]) + np.array([[0, 0, 0.0], [*hand.motion, 0.0]])
    start, end = view.pixels(tip).astype(float)
    reach = int(np.ceil(np.abs(end - start).max()))
    if reach < 1:
        return sprite
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    way = (end - start) / 2
    cv2.line(kernel, tuple(np.round(reach - way).astype(int).tolist()), tuple(np.round(reach + way).astype(int).tolist()), 1.0, 1)
    kernel /= kernel.sum()
    spare = ((reach, reach), (reach, reach))
    colours = cv2.filter2D(np.pad(sprite.colours, (*spare, (0, 0))), -1, kernel, borderType=cv2.BORDER_REPLICATE)
    cover = cv2.filter2D(np.pad(sprite.cover, spare), -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return Sprite(sprite.left - reach, sprite.top - reach, colours, cover)


def silhouettes(cover: Cover) -> list[Limb]:
    """Tubes whose shadows stand for the cover's shadow."""
    if isinstance(cover, Hand):
        return limbs(cover)
    x, y = cover.at
    upright = Limb(np.array([x, y, 2.0]), np.array([x, y, cover.height]), (cover.radius, cover.radius), (0, 0, 0))
    return [upright, *mug_handle(cover)]


