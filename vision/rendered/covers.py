"""What comes between the camera and the board: arms with hands, and mugs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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
    seed: int = 0


@dataclass(frozen=True)
class Mug:
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

    bare = float(dice.uniform(20, 70))
    parts = [
        Limb(spot(170 + bare, 10, 25), spot(900, 120, 120), (46 * size, 62 * size), sleeve, 0.12),
        Limb(spot(150, 5, 10), spot(190 + bare, 10, 20), (27 * size, 34 * size), skin),
        Limb(spot(95, 14, 4), spot(140, 4, 8), (24 * size, 26 * size), skin),
        Limb(spot(95, -12, 4), spot(140, 0, 8), (24 * size, 26 * size), skin),
    ]
    reach = {"reach": (2.0, 30.0, 34.0, 42.0), "flat": (18.0, 2.0, 8.0, 26.0), "fist": (62.0, 60.0, 62.0, 66.0)}[hand.pose]
    for finger, tip in enumerate(reach):
        across = 26 - 17.0 * finger
        middle = (tip + 92) / 2
        parts.append(Limb(spot(middle, across * 1.02, 6), spot(92, across, 6), (8.5 * size, 10 * size), skin))
        parts.append(Limb(spot(tip + 6, across * (0.6 if hand.pose == "reach" else 1.05), -10), spot(middle, across * 1.02, 6), (7 * size, 8.5 * size), skin))
    thumb = 14.0 if hand.pose == "reach" else 58.0
    parts.append(Limb(spot(thumb + 40, 46, 0), spot(118, 30, 6), (10 * size, 13 * size), skin))
    parts.append(Limb(spot(thumb, 22 if hand.pose == "reach" else 44, -10), spot(thumb + 40, 46, 0), (8 * size, 10 * size), skin))
    return parts


def draw_limb(limb: Limb, view: View, stand: Stand) -> Sprite | None:
    """A tube, shaded as round."""
    ends = view.pixels(np.array([limb.start, limb.end])).astype(float)
    (a, b), (ra, rb) = ends, (limb.radii[0] * _scale(view, limb.start), limb.radii[1] * _scale(view, limb.end))
    width, height = view.size
    left, top = np.clip(np.floor(np.minimum(a - ra, b - rb)).astype(int) - 2, 0, [width, height])
    right, bottom = np.clip(np.ceil(np.maximum(a + ra, b + rb)).astype(int) + 3, 0, [width, height])
    if left >= right or top >= bottom:
        return None
    y, x = np.mgrid[top:bottom, left:right].astype(np.float32)
    along = b - a
    length2 = max(float(along @ along), 1e-6)
    t = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / length2, 0, 1)
    dx, dy = x - (a[0] + t * along[0]), y - (a[1] + t * along[1])
    radius = ra + (rb - ra) * t
    far = np.hypot(dx, dy)
    cover = np.clip(radius - far + 0.5, 0, 1)
    across = np.clip(far / radius, 0, 1)
    up = np.sqrt(1 - across**2 * 0.96)
    nx, ny = dx / radius, dy / radius
    here = limb.start + (limb.end - limb.start) / 2
    where = stand.point((float(here[0]), float(here[1])), float(here[2]))
    colour = (np.array(limb.colour) / 255) ** 2.2
    # Normals in the picture's own axes are near enough: the camera looks down.
    normals = np.stack([nx, ny, up], -1)
    lit = stand.light.on(np.broadcast_to(where, normals.shape), normals)
    if limb.rough:
        cloth = chance("weave", limb.colour).standard_normal(x.shape).astype(np.float32)
        lit = lit * (1 + limb.rough * cv2.GaussianBlur(cloth, (0, 0), 1.1) * 2)[..., None]
    colours = (colour * lit * cover[..., None]).astype(np.float32)
    return Sprite(int(left), int(top), colours, cover.astype(np.float32))


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
    return [Limb(a, b, (5.5, 5.5), placed.paint) for a, b in zip(knots, knots[1:], strict=False)]


def draw_cover(cover: Cover, view: View, stand: Stand) -> Iterator[Sprite]:
    """The sprites of a hand or mug, the lowest first."""
    if isinstance(cover, Mug):
        parts = [draw_limb(limb, view, stand) for limb in mug_handle(cover)]
        yield from (part for part in parts if part is not None)
        yield draw_body(mug_body(cover), view, stand)
    else:
        parts = [draw_limb(limb, view, stand) for limb in limbs(cover)]
        yield from (part for part in parts if part is not None)


def silhouettes(cover: Cover) -> list[Limb]:
    """Tubes whose shadows stand for the cover's shadow."""
    if isinstance(cover, Hand):
        return limbs(cover)
    x, y = cover.at
    upright = Limb(np.array([x, y, 2.0]), np.array([x, y, cover.height]), (cover.radius, cover.radius), (0, 0, 0))
    return [upright, *mug_handle(cover)]


