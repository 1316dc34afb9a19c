"""Light on the table: coloured lamps that fall off, light from the room, a player's shadow, the lamp's mirror image.

Everything here is linear light as the camera sees it after its locked white balance; 1.0 on white paper is a well lit table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin

import numpy as np

from vision.rendered.conditions import Conditions, Glare, Lamp, PlayerShadow
from vision.view import Array

UP = np.array([0.0, 0.0, 1.0])


@cache
def _glow(kelvin: float) -> tuple[float, float, float]:
    """Linear blue, green, red of a glowing body, of luminance 1: Planck's law seen through the eye's three curves."""
    wave = np.arange(380.0, 781.0, 5.0)

    def lobe(middle: float, left: float, right: float) -> Array:
        return np.asarray(np.exp(-0.5 * ((wave - middle) * np.where(wave < middle, left, right)) ** 2))

    eye_x = 1.056 * lobe(599.8, 0.0264, 0.0323) + 0.362 * lobe(442.0, 0.0624, 0.0374) - 0.065 * lobe(501.1, 0.0490, 0.0382)
    eye_y = 0.821 * lobe(568.8, 0.0213, 0.0247) + 0.286 * lobe(530.9, 0.0613, 0.0322)
    eye_z = 1.217 * lobe(437.0, 0.0845, 0.0278) + 0.681 * lobe(459.0, 0.0385, 0.0725)
    power = wave**-5.0 / (np.exp(1.4388e7 / (wave * kelvin)) - 1)
    x, y, z = (float((power * curve).sum()) for curve in (eye_x, eye_y, eye_z))
    x, y, z = x / y, 1.0, z / y
    red = 3.2406 * x - 1.5372 * y - 0.4986 * z
    green = -0.9689 * x + 1.8758 * y + 0.0415 * z
    blue = 0.0557 * x - 0.2040 * y + 1.0570 * z
    return max(blue, 0.02), max(green, 0.02), max(red, 0.02)


def colour(kelvin: float, white_kelvin: float, green: float = 0.0) -> Array:
    """Blue, green, red of a lamp for a camera that takes `white_kelvin` for white."""
    tint = np.array([1.0, 1.0 + green, 1.0])
    return np.asarray(np.array(_glow(kelvin)) / np.array(_glow(white_kelvin)) * tint)


@dataclass(frozen=True)
class Light:
    """All light over one table; places in millimetres of the board where it lay first, heights upwards."""

    size_mm: tuple[float, float]
    conditions: Conditions

    @property
    def middle(self) -> Array:
        return np.array([self.size_mm[0] / 2, self.size_mm[1] / 2, 0.0])

    @property
    def room(self) -> Array:
        return np.asarray(self.conditions.ambient * colour(self.conditions.ambient_kelvin, self.conditions.white_kelvin))

    def place(self, lamp: Lamp) -> Array:
        return np.asarray(self.middle + np.array([*lamp.at, lamp.height]))

    def tint(self, lamp: Lamp) -> Array:
        return np.asarray(lamp.strength * colour(lamp.kelvin, self.conditions.white_kelvin, lamp.green))

    def from_lamp(self, lamp: Lamp, points: Array, normals: Array = UP) -> Array:
        """How strongly a lamp lights these points (…, 3) with these normals, 1 where it lights the middle of a flat board."""
        source = self.place(lamp)
        way = source - points
        distance = np.linalg.norm(way, axis=-1)
        facing = np.clip((way * normals).sum(-1) / distance, 0, None)
        there = source - self.middle
        far = float(np.linalg.norm(there))
        return np.asarray(facing / (there[2] / far) * (far / distance) ** 2)

    def on(self, points: Array, normals: Array = UP) -> Array:
        """Light (…, 3: blue, green, red) on these points, shadows of pieces left out."""
        total = self.room * (0.6 + 0.4 * np.broadcast_to(normals, points.shape)[..., 2:3])
        shade = self.player(points)[..., None]
        for lamp in self.conditions.lamps:
            total = total + self.from_lamp(lamp, points, normals)[..., None] * self.tint(lamp) * shade
        return np.asarray(total)

    def player(self, points: Array) -> Array:
        """How much of the lamps' light gets past a player who leans over."""
        shadow = self.conditions.shadow
        return np.ones(points.shape[:-1]) if shadow is None else _past(shadow, self.size_mm, points)


def _past(shadow: PlayerShadow, size_mm: tuple[float, float], points: Array) -> Array:
    """A head and shoulders: a broad lobe that comes in from one side."""
    angle = radians(shadow.side)
    out = np.array([sin(angle), -cos(angle)])
    along = np.array([-out[1], out[0]])
    half = max(size_mm) / 2
    offset = points[..., :2] - np.array(size_mm) / 2
    inwards, across = half - offset @ out, offset @ along
    shoulders = half * 0.75 * (2 * shadow.reach) - 0.5 * half * np.minimum((across / (0.62 * half)) ** 2, 4.0)
    head = half * 2 * shadow.reach - 1.6 * half * (across / (0.45 * half)) ** 2
    depth = np.maximum(shoulders, head) - inwards
    return np.asarray(1 - shadow.depth / (1 + np.exp(-np.clip(depth / shadow.soft * 4, -40, 40))))


def mirrored(glare: Glare, size_mm: tuple[float, float], points: Array) -> Array:
    """The lamp's image on the varnish, as light that is added."""
    offset = points[..., :2] - np.array(glare.at) * np.array(size_mm)
    away = np.sqrt((offset[..., 0] / glare.radius) ** 2 + (offset[..., 1] / (0.7 * glare.radius)) ** 2)
    return np.asarray(glare.strength * (np.exp(-2.0 * away**2) + 0.12 * np.exp(-0.5 * away)))
