"""Has anything changed since the last look? A few samples of each space tell, for next to nothing.

What has not changed need not be looked at again: the last sighting stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.flat import Flat, space_outline
from vision.light import Noise
from vision.marks import Content, Sighting
from vision.view import Array, View

SAMPLES = 48  # of each space
ROW = 64  # samples in a row: remap likes pictures better than threads
SURE = 6.0  # deviations of the camera's noise
SOME = 0.15  # share of a space's samples that may differ by chance: compression, a moth


class Steady:
    """The samples of one picture, and what was seen in it."""

    def __init__(
        self, frame: Array, view: View, wanted: Mapping[str, Sequence[Content]], sighting: Sighting, flat: Flat, noise: Noise
    ) -> None:
        self.view, self.wanted, self.sighting = view, wanted, sighting
        points = [_inside(flat, name, sighting.arrow.degrees if sighting.arrow else 0.0) for name in flat.board.spaces]
        pixels = view.pixels(np.concatenate(points))
        rows = -(-len(pixels) // ROW)
        padded = np.concatenate([pixels, np.repeat(pixels[:1], rows * ROW - len(pixels), 0)]).reshape(rows, ROW, 2)
        self.maps = cv2.convertMaps(padded[..., 0].copy(), padded[..., 1].copy(), cv2.CV_16SC2)
        self.before = self._read(frame)
        # Both pictures are noisy, and half a level of rounding is in each.
        self.limits = np.minimum(SURE * np.sqrt(2 * noise.variance[self.before]) + 2, 255).astype(np.uint8)
        self.many = np.maximum(SOME * np.array([len(p) for p in points]), 2.0)
        self.starts = np.cumsum([0, *(len(p) for p in points[:-1])])
        self.count = len(pixels)

    def _read(self, frame: Array) -> Array:
        return np.asarray(cv2.remap(frame, *self.maps, cv2.INTER_LINEAR))

    def is_same(self, frame: Array, view: View, wanted: Mapping[str, Sequence[Content]]) -> bool:
        if view is not self.view or wanted is not self.wanted:
            return False
        over = cv2.compare(cv2.absdiff(self._read(frame), self.before), self.limits, cv2.CMP_GT)
        if cv2.countNonZero(over.reshape(-1, ROW * 3)) == 0:
            return True
        differs = over.reshape(-1, 3)[: self.count].any(1)
        return bool((np.add.reduceat(differs, self.starts, dtype=np.int32) <= self.many).all())


def _inside(flat: Flat, name: str, degrees: float) -> Array:
    """Points spread evenly over a space."""
    corners = space_outline(flat, name, degrees).astype(np.float32)
    low, high = corners.min(0), corners.max(0)
    area = cv2.contourArea(corners) / max(float(np.prod(high - low)), 1e-6)
    side = max(3, int(np.ceil(np.sqrt(SAMPLES / max(area, 0.2)))))
    grid = np.stack(np.meshgrid(*(np.linspace(lo, hi, side + 2)[1:-1] for lo, hi in zip(low, high, strict=True))), -1).reshape(
        -1, 2
    )
    there = [point for point in grid if cv2.pointPolygonTest(corners, (float(point[0]), float(point[1])), False) >= 0]
    return np.array(there or [corners.mean(0)])
