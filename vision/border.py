"""The board's border as a witness: where does the board end?

The inside of a board may look the same one square farther on; its border does not. Across every side of the board, profiles of the
reference picture are kept, from a little inside to a little outside, and compared with a later frame at the places of a view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.view import View

Array = NDArray[Any]

PARTS, ALONG = 8, 4  # each side is cut into so many parts, each looked at in so many places
ACROSS_MM = np.arange(-6.0, 6.01, 1.0)  # negative is inside
ALIKE = 0.8  # correlation from which a part is recognised
SEEN = 1 / 4  # of a side's parts must be recognised


@dataclass(frozen=True, eq=False)
class Border:
    points: Array  # (sides, parts, along, across, 2), millimetres
    profiles: Array  # (sides, parts, across), centred and of length one
    telling: Array  # (sides, parts): whether the reference shows anything there

    @classmethod
    def of(cls, frame: Array, view: View, board: Board) -> Border:
        width, height = board.size_mm
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        sides = []
        for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
            along = (np.arange(PARTS * ALONG) + 0.5) / (PARTS * ALONG)
            outwards = np.array([end[1] - start[1], start[0] - end[0]]) / np.linalg.norm(end - start)
            sides.append(start + along[:, None, None] * (end - start) + ACROSS_MM[None, :, None] * outwards)
        points = np.array(sides).reshape(4, PARTS, ALONG, len(ACROSS_MM), 2)
        grid, inside = places(points, view)
        profiles, contrast = _profiles(frame, grid)
        # Sensor noise averages out along a part; what is left must exceed it well.
        return cls(points, profiles, inside & (contrast > 4.0))

    def sides_seen(self, frame: Array, grid: Array, inside: Array) -> int:
        """How many of the four sides are where `places` of a view has them; a side that cannot tell counts as seen."""
        profiles, _ = _profiles(frame, grid)
        telling = self.telling & inside
        alike = ((profiles * self.profiles).sum(-1) > ALIKE) & telling
        enough = alike.sum(1) >= np.maximum(telling.sum(1) * SEEN, 1)
        return int((enough | (telling.sum(1) < PARTS // 3)).sum())


def places(points: Array, view: View) -> tuple[Array, Array]:
    """Pixels of those points, and for each part of each side whether the frame shows it."""
    pixels = view.pixels(points)
    width, height = view.size
    inside = ((pixels > 0) & (pixels < np.array([width - 1, height - 1]))).all((2, 3, 4))
    return pixels.reshape(-1, len(ACROSS_MM), 2), np.asarray(inside)


def _profiles(frame: Array, grid: Array) -> tuple[Array, Array]:
    taken = cv2.remap(frame, grid, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = taken.reshape(4, PARTS, ALONG, len(ACROSS_MM), -1).sum(-1, dtype=np.float32).mean(2) / 3
    values = values - values.mean(-1, keepdims=True)
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    return values / np.maximum(length, 1e-6), length[..., 0]
