"""A piece as the camera knows it: how wide and high it is, and what colours it shows.

Its outline in the flat picture is that of a standing cylinder seen along the camera's ray: the base, drawn out to where the top
appears. Its colours are a few clouds of features, learned from the piece itself under this table's light.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from vision.background import ANYTHING, Reading
from vision.light import brighter_by
from vision.view import Array, View

STRAY = 0.06  # chance that a pixel of a piece shows none of its learned colours: a gleam, print, dirt
# What looks like no board and no piece (the blurred rim between both, a shadow's edge) speaks for neither.
NEITHER = float(np.log(STRAY)) + ANYTHING
# Variance that a piece's own shading may have in another place under the same lamp: brightness, tints.
SHADING = np.array([0.22, 0.06, 0.06]) ** 2

# Varnish mirrors the lamp more in one place than in another: white light that is added to a piece's own or taken off it again, as
# a share of full white, and how often. Where it was taught, it had some of it too.
VEILS = ((-0.10, 0.1), (-0.04, 0.15), (0.0, 0.6), (0.04, 0.15))

TAPER = 0.4  # how much narrower a piece is at its top than at its foot: pawns and men are, and flat counters have no height


@dataclass(frozen=True)
class Cloud:
    share: float
    middle: tuple[float, float, float]
    variance: tuple[float, float, float]


@dataclass(frozen=True)
class Piece:
    mark: str
    radius: float  # millimetres
    height: float
    clouds: tuple[Cloud, ...]
    taught: bool = True  # False: guessed from its other face
    lead: float = 0.0  # nats by which a picture speaks for it too much, beside smaller pieces of its colour

    def likelihood(self, own: Array, spread: Array) -> Array:
        """Log likelihood of each pixel if this piece covers it. `own`: features with the light taken off."""
        stray = STRAY if self.taught else 0.1 if self.clouds else 1.0
        seen = [np.asarray(own[..., feature], np.float32) for feature in range(3)]
        strayed = [np.asarray(spread[..., feature], np.float32) for feature in range(3)]
        total = np.full(own.shape[:-1], stray * np.exp(ANYTHING), np.float32)
        for cloud in self.clouds:
            variances = [np.float32(own_variance) + by for own_variance, by in zip(cloud.variance, strayed, strict=True)]
            norm = np.float32(cloud.share * (1 - stray) * (2 * np.pi) ** -1.5) / np.sqrt(variances[0] * variances[1] * variances[2])
            halves = [np.float32(-0.5) / variance for variance in variances]
            for middle, often in self._veiled(cloud):
                fit = sum(half * (one - np.float32(m)) ** 2 for half, one, m in zip(halves, seen, middle, strict=True))
                total += np.float32(often) * norm * np.exp(fit)
        return np.log(total)

    @staticmethod
    @lru_cache(1024)
    def _veiled(cloud: Cloud) -> tuple[tuple[tuple[float, float, float], float], ...]:
        """Its colour with more or less of the lamp mirrored in it, and how often."""
        return tuple((brighter_by(cloud.middle, veil), often) for veil, often in VEILS)

    @cached_property
    def mean(self) -> Array:
        """The mean of all that it shows."""
        return np.asarray(sum(cloud.share * np.array(cloud.middle) for cloud in self.clouds) / sum(cloud.share for cloud in self.clouds))

    def is_like(self, other: Piece) -> bool:
        """Do both show the same colours?"""
        return self.strangeness(other) < 3.0 and other.strangeness(self) < 3.0

    def strangeness(self, other: Piece) -> float:
        """How much worse this piece's colours are explained by the other than by itself, in nats a pixel."""
        if not self.clouds or not other.clouds:  # never seen: like nothing and nobody
            return np.inf
        middles = np.array([cloud.middle for cloud in self.clouds], np.float32)
        shares = np.array([cloud.share for cloud in self.clouds])
        none = np.zeros(3, np.float32)
        return float((shares * (self.likelihood(middles, none) - other.likelihood(middles, none))).sum() / shares.sum())

    def to_json(self) -> dict[str, Any]:
        clouds = [[round(c.share, 4), *(round(x, 4) for x in (*c.middle, *c.variance))] for c in self.clouds]
        return {"mark": self.mark, "radius": self.radius, "height": self.height, "clouds": clouds, "taught": self.taught, "lead": round(self.lead, 2)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Piece:
        clouds = tuple(Cloud(c[0], tuple(c[1:4]), tuple(c[4:7])) for c in data["clouds"])
        return cls(data["mark"], float(data["radius"]), float(data["height"]), clouds, bool(data["taught"]), float(data.get("lead", 0.0)))


def telling(piece: Piece, reading: Reading) -> Array:
    """How far a bare patch of board speaks against a piece, 0 to 1: black on black tells nothing, in bad light even less.

    Judged by what the board should show here and now, on every third pixel: it changes slowly."""
    thin = (slice(None, None, 3), slice(None, None, 3))
    should = reading.features[thin] - reading.off[thin] - reading.light[thin]
    spread = reading.spread[thin]
    board = -0.5 * np.log(2 * np.pi * spread).sum(-1)
    told = np.clip((board - piece.likelihood(should, spread) - 4.0) / 4.0, 0.0, 1.0).astype(np.float32)
    height, width = reading.unknown.shape
    return np.asarray(np.repeat(np.repeat(told, 3, 0), 3, 1)[:height, :width])


def lean(view: View, point: Array) -> Array:
    """Where the top of something 1 mm high appears on the board, off its foot, in millimetres."""
    top = view.pixels(np.array([[point[0], point[1], 20.0]]))
    return np.asarray((view.millimetres(top)[0] - np.asarray(point)) / 20.0)


def outline(radius: float, height: float, leaning: Array, pitch: float) -> Array:
    """The piece's outline in the flat picture, its foot in the middle: the share of each pixel that it covers."""
    x, y = (round(float(v) * height / pitch * 2) / 2 for v in leaning)
    return _capsule(round(radius / pitch, 2), x, y)


@lru_cache(4096)
def _capsule(radius: float, x: float, y: float) -> Array:
    """All that lies within a radius, narrowing upwards, of the line from the foot (0, 0) to the top (x, y), in pixels."""
    reach = int(np.ceil(radius + max(abs(x), abs(y)))) + 1
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float64)
    length = x * x + y * y
    along = np.clip((columns * x + rows * y) / length, 0, 1) if length else np.zeros_like(rows)
    away = np.hypot(columns - along * x, rows - along * y)
    shape: Array = np.clip(radius * (1 - TAPER * along) + 0.5 - away, 0, 1).astype(np.float32)
    shape.setflags(write=False)
    return shape
