"""Finding the board by its likeness to the reference picture alone, without any tag: SIFT features at half resolution.

Slow (about a tenth of a second), and asked only when nothing cheaper knows where the board is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.landmarks import board_mask
from vision.view import View

Array = NDArray[Any]

WIDTH = 640  # at which features are sought: half of 720p
MOST = 2500
DISTINCT = 0.8  # the nearest feature must be this much nearer than the second
FEWEST = 10


def small(frame: Array) -> tuple[Array, float]:
    """The frame in grey, small, and how many of its pixels one small pixel spans."""
    pixel = max(frame.shape[:2]) / WIDTH
    shrunk = cv2.resize(frame, None, fx=1 / pixel, fy=1 / pixel, interpolation=cv2.INTER_AREA)
    return (cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY) if shrunk.ndim == 3 else shrunk), pixel


@dataclass(frozen=True, eq=False)
class Likeness:
    reference: View
    places: Array  # of the features, board millimetres
    features: Array

    @classmethod
    def of(cls, frame: Array, view: View, board: Board) -> Likeness:
        grey, pixel = small(frame)
        mask = board_mask((grey.shape[0], grey.shape[1]), view, board, pixel, 0)
        keys, features = cv2.SIFT.create(MOST, contrastThreshold=0.02).detectAndCompute(grey, mask)
        pixels = np.array([k.pt for k in keys], float).reshape(-1, 2)
        places = view.millimetres((pixels + 0.5) * pixel - 0.5) if len(pixels) else pixels
        return cls(view, places, features if features is not None else np.empty((0, 128), np.float32))

    def guess(self, frame: Array) -> View | None:
        """A first view, some pixels off at worst; None when the board's picture is not there."""
        grey, pixel = small(frame)
        keys, features = cv2.SIFT.create(MOST, contrastThreshold=0.02).detectAndCompute(grey, None)
        if features is None or len(features) < 2 or len(self.features) < 2:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(features, self.features, k=2)
        good = [near for near, next in pairs if near.distance < DISTINCT * next.distance]
        if len(good) < FEWEST:
            return None
        seen = (np.array([keys[m.queryIdx].pt for m in good]) + 0.5) * pixel - 0.5
        points = self.places[[m.trainIdx for m in good]]
        _, kept = cv2.findHomography(points, seen, cv2.USAC_MAGSAC, 3 * pixel, maxIters=5000, confidence=0.999)
        if kept is None or kept.sum() < FEWEST:
            return None
        chosen = kept.ravel() > 0
        return self.reference.from_points(points[chosen], seen[chosen])
