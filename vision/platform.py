"""At which step a turning platform stands, found by turning the empty platform until most of it agrees."""

from __future__ import annotations

import cv2
import numpy as np

from vision.background import Background
from vision.flat import Turntable
from vision.light import features
from vision.marks import Arrow
from vision.view import Array, View

RAYS = 720  # directions that are looked at
CIRCLES = 7  # at so many distances from the middle
STRIDE, THIN, LIKELY = 4, 8, 4  # first in coarse steps, by every so-manieth direction; then the likeliest in full
# A platform counts as standing at a step when it is off by less than this share of a step; else it stands between two.
EXACT = 0.25
THICKNESSES = (0.0, 1.5, 3.0, 4.5, 6.0)  # millimetres that are tried


class TurningPlatform:
    """Finds the step, and on the way how thick the platform is: a wrong thickness fits worse wherever it is turned to."""

    def __init__(self, background: Background) -> None:
        self.background = background
        self._rings = {thick: _Ring(background.thicker(thick)) for thick in THICKNESSES}
        self._misfits = dict.fromkeys(THICKNESSES, 0.0)
        self._tried: set[int] = set()

    def find(self, frame: Array, view: View) -> Arrow:
        arrow, _ = self._rings[self.background.thick].find(frame, view)
        if arrow.number and arrow.number not in self._tried and len(self._tried) < 6:
            self._tried.add(arrow.number)
            for thick, ring in self._rings.items():
                self._misfits[thick] += ring.find(frame, view)[1]
            best = min(self._misfits, key=lambda thick: self._misfits[thick])
            if best != self.background.thick and len(self._tried) > 1:
                self.background = self.background.thicker(best)
        return arrow


class _Ring:
    """How the empty platform looks all the way round, at one thickness."""

    def __init__(self, background: Background) -> None:
        table = background.flat.table
        assert table
        self.table, self.thick = table, background.thick
        inner = min(
            np.linalg.norm(np.array(s.outline) - table.centre, axis=1).min() for s in background.flat.board.of_kind("platform")
        )
        self.radii = np.linspace(inner, table.radius, CIRCLES + 2)[1:-1]
        self.twice = np.tile(self._ring(background.picture, background.view), (2, 1, 1))  # round and round again
        self.degrees = background.degrees

    def _ring(self, frame: Array, view: View) -> Array:
        """Features on circles round the middle, one row a direction, clockwise from the top; the light's share taken off."""
        angles = np.radians(np.arange(RAYS) * 360.0 / RAYS)
        directions = np.stack([np.sin(angles), -np.cos(angles)], -1)
        points = np.asarray(self.table.centre) + directions[:, None] * self.radii[None, :, None]
        points = np.concatenate([points, np.full((*points.shape[:-1], 1), self.thick)], -1)
        pixels = view.pixels(points)
        seen = features(cv2.remap(frame, pixels[..., 0].copy(), pixels[..., 1].copy(), cv2.INTER_LINEAR))
        return np.asarray(seen - np.median(seen, (0, 1)))

    def find(self, frame: Array, view: View) -> tuple[Arrow, float]:
        """The arrow's number, and how far the platform disagrees there (to be compared with other thicknesses)."""
        now = self._ring(frame, view)
        coarse = np.array([self._misfit(now, shift, THIN) for shift in range(0, RAYS, STRIDE)])
        near = [int(place) * STRIDE for place in np.argsort(coarse)[:LIKELY]]
        close = {shift: self._misfit(now, shift) for at in near for shift in range(at - STRIDE, at + STRIDE + 1)}
        best = min(close, key=lambda s: close[s])
        left, middle, right = (self._misfit(now, best + step) for step in (-1, 0, 1))
        bow = left - 2 * middle + right
        fine = best + (0.5 * (left - right) / bow if bow > 0 else 0.0)
        return arrow_at(self.table, fine * 360.0 / RAYS + self.degrees), middle

    def _misfit(self, now: Array, shift: int, thin: int = 2) -> float:
        """Men stand on it and hide some of it: the nearer half of the differences decides."""
        apart = np.abs(now[::thin] - self.twice[-shift % RAYS :][:RAYS:thin])
        apart = apart[..., 0] + apart[..., 1] + apart[..., 2]
        return float(np.minimum(apart, 4 * np.median(apart) + 1e-6).mean())


def arrow_at(table: Turntable, degrees: float) -> Arrow:
    degrees %= 360.0
    steps = degrees * table.places / 360.0
    nearest = round(steps)
    number = nearest % table.places or table.places
    if abs(steps - nearest) <= EXACT:
        return Arrow(number, degrees)
    low = int(np.floor(steps)) % table.places or table.places
    return Arrow(None, degrees, (low, low % table.places + 1))
