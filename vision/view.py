"""How the board's millimetres appear in the frame.

A camera with square pixels whose axis meets the middle of the picture, one radial lens term, the board's pose before it, and
the height of bent cardboard above its plane. Board millimetres run as in board files: x to the right, y down, from the board's
top left corner; heights count from the board's face towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Bend:
    """Cardboard that is not flat: the height of its face at a point, as a quadratic curl and one crease (a fold's ridge)."""

    centre: tuple[float, float] = (0.0, 0.0)
    curl: tuple[float, float, float] = (0.0, 0.0, 0.0)  # millimetres of height per (100 mm)² along x², xy, y²
    crease: tuple[float, float, float] = (0.0, 0.0, 0.0)  # its direction in degrees, its offset from the centre, mm of height per 100 mm off it

    def height(self, points: Array) -> Array:
        offset = (points[..., :2] - np.asarray(self.centre)) / 100.0
        x, y = offset[..., 0], offset[..., 1]
        if not (any(self.curl) or self.crease[2]):
            return np.zeros(x.shape)
        xx, xy, yy = self.curl
        angle, away, slope = self.crease
        across = -np.sin(np.radians(angle)) * x + np.cos(np.radians(angle)) * y - away / 100.0
        return np.asarray(xx * x * x + xy * x * y + yy * y * y + slope * np.abs(across))


@dataclass(frozen=True)
class View:
    size: tuple[int, int]  # of the frame, in pixels
    focal: float  # in pixels
    lens: tuple[float, float]  # radial distortion k1, k2
    turn: tuple[float, float, float]  # rotation vector, board to camera
    shift: tuple[float, float, float]  # millimetres, board to camera
    bend: Bend = Bend()

    @property
    def matrix(self) -> Array:
        width, height = self.size
        return np.array([[self.focal, 0, (width - 1) / 2], [0, self.focal, (height - 1) / 2], [0, 0, 1.0]])

    @property
    def distortion(self) -> Array:
        return np.array([*self.lens, 0.0, 0.0])

    def pixels(self, points: Array) -> Array:
        """Pixels of points (…, 2) on the board's face, or (…, 3) with a height above it."""
        points = np.asarray(points, np.float64)
        if not points.size:
            return np.zeros((*points.shape[:-1], 2), np.float32)
        solid = self.solid(points).reshape(-1, 1, 3)
        seen, _ = cv2.projectPoints(solid, np.array(self.turn, float), np.array(self.shift, float), self.matrix, self.distortion)
        return seen.reshape(*points.shape[:-1], 2).astype(np.float32)

    def millimetres(self, pixels: Array) -> Array:
        """Where pixels lie on the board's face."""
        pixels = np.asarray(pixels, np.float64)
        if not pixels.size:
            return pixels.copy()
        rays = cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.matrix, self.distortion).reshape(-1, 2)
        rotation = cv2.Rodrigues(np.array(self.turn, float))[0]
        height: Array = np.zeros(len(rays))
        points: Array = np.zeros((len(rays), 2))
        for _ in range(8 if self.bend != Bend() else 1):  # the height depends on the place, gently
            # R (x, y, -h) + t = depth * ray: solve for x, y and depth.
            origin = np.array(self.shift) - height[:, None] * rotation[:, 2]
            directions = np.concatenate([rays, np.ones((len(rays), 1))], 1)
            left = np.empty((len(rays), 3, 3))
            left[:, :, 0], left[:, :, 1], left[:, :, 2] = rotation[:, 0], rotation[:, 1], -directions
            points = np.linalg.solve(left, -origin[..., None])[:, :2, 0]
            height = self.bend.height(points)
        return points.reshape(*pixels.shape[:-1], 2)

    def scale(self, at: Array) -> float:
        """Pixels per millimetre at a point of the board."""
        around = np.asarray(at) + np.array([[-5.0, 0], [5, 0], [0, -5], [0, 5]])
        left, right, up, down = self.pixels(around)
        return float(np.linalg.norm(right - left) + np.linalg.norm(down - up)) / 20.0

    def solid(self, points: Array) -> Array:
        """Points of the board's face in space, as the camera's rules want them: towards the camera is -z, since x runs right and
        y down."""
        points = np.asarray(points, np.float64)
        above = points[..., 2] if points.shape[-1] == 3 else 0.0
        return np.concatenate([points[..., :2], -(self.bend.height(points) + above)[..., None]], -1)

    def from_points(self, points: Array, pixels: Array) -> View | None:
        """The same camera where these points of the board appear at these pixels; None when no pose does that."""
        try:
            found, turn, shift = cv2.solvePnP(
                self.solid(points).reshape(-1, 1, 3), np.asarray(pixels, float).reshape(-1, 1, 2), self.matrix, self.distortion,
                flags=cv2.SOLVEPNP_SQPNP,
            )  # fmt: skip
        except cv2.error:
            return None
        return self.moved(turn, shift) if found and float(shift[2, 0]) > 0 else None

    def slopes(self, points: Array) -> Array:
        """How the pixels of n points change with turn, shift, the focal length's logarithm and the lens's k1: (2n, 8)."""
        solid = self.solid(points).reshape(-1, 1, 3)
        _, slopes = cv2.projectPoints(solid, np.array(self.turn, float), np.array(self.shift, float), self.matrix, self.distortion)
        focal = (slopes[:, 6] + slopes[:, 7]) * self.focal
        return np.column_stack([slopes[:, :6], focal, slopes[:, 10]])

    def flat(self) -> View:
        """The same without the cardboard's bend, for what lies beside the board."""
        return replace(self, bend=Bend())

    def moved(self, turn: Array, shift: Array) -> View:
        """The same camera before a board that lies otherwise."""
        (a, b, c), (x, y, z) = (tuple(map(float, np.ravel(v))) for v in (turn, shift))
        return replace(self, turn=(a, b, c), shift=(x, y, z))
