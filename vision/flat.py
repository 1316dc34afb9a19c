"""The board laid flat: a small picture of it from straight above, a fixed number of millimetres a pixel.

Grid, ring, cross and platform are then the same code, and everything that is learned about a place stays true when the board is
bumped. Only these few points of a frame are ever read; the frame itself is never warped as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from companion.board import Board
from vision.view import Array, View


class Turntable(NamedTuple):
    """A platform that turns on the board: its middle and rim, and how many places it has."""

    centre: tuple[float, float]
    radius: float
    places: int

    def degrees(self, number: int) -> float:
        """How far it is turned, clockwise, with its arrow at a number; board files draw it with the arrow at the last."""
        return 360.0 * (number % self.places) / self.places


def turntable(board: Board) -> Turntable | None:
    spaces = board.of_kind("platform")
    if not spaces:
        return None
    corners = np.array([corner for space in spaces for corner in space.outline])
    centre = np.array([space.centre for space in spaces]).mean(0)
    radius = np.linalg.norm(corners - centre, axis=1).max()
    return Turntable((float(centre[0]), float(centre[1])), float(radius), len(spaces))


def turned(points: Array, table: Turntable, degrees: float) -> Array:
    """Points carried clockwise with the platform (y runs down, so clockwise is the positive sense)."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle), np.sin(angle)
    away = np.asarray(points) - np.asarray(table.centre)
    return np.asarray(away @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(table.centre))


class Flat:
    def __init__(self, board: Board, pitch: float, margin: float = 12.0) -> None:
        self.board, self.pitch, self.margin = board, pitch, margin
        width, height = board.size_mm
        self.shape = (round((height + 2 * margin) / pitch) + 1, round((width + 2 * margin) / pitch) + 1)
        rows, columns = np.mgrid[: self.shape[0], : self.shape[1]]
        self.points = np.stack([columns * pitch - margin, rows * pitch - margin], -1).astype(np.float64)
        self.table = turntable(board)
        self._maps: dict[tuple[View, float, float], tuple[Array, Array]] = {}

    @cached_property
    def on_platform(self) -> Array:
        """Which pixels turn with the platform."""
        if self.table is None:
            return np.zeros(self.shape, bool)
        away = np.linalg.norm(self.points - np.asarray(self.table.centre), axis=-1)
        return np.asarray(away <= self.table.radius)

    @cached_property
    def around_platform(self) -> tuple[slice, slice]:
        """The rows and columns in which the platform lies."""
        rows, columns = np.nonzero(self.on_platform)
        return slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)

    @cached_property
    def on_board(self) -> Array:
        width, height = self.board.size_mm
        x, y = self.points[..., 0], self.points[..., 1]
        return np.asarray((x >= 0) & (y >= 0) & (x <= width) & (y <= height))

    def maps(self, view: View, degrees: float = 0.0, thick: float = 0.0) -> tuple[Array, Array]:
        """Where to read a frame; `degrees`: as if the platform were turned on by so much; `thick`: its height above the board."""
        key = (view, round(degrees, 3), thick)
        if key not in self._maps:
            if len(self._maps) >= 8:
                del self._maps[next(iter(self._maps))]
            self._maps[key] = self._make_maps(view, degrees, thick)
        return self._maps[key]

    def _make_maps(self, view: View, degrees: float, thick: float) -> tuple[Array, Array]:
        points = self.points
        if self.table and (degrees or thick):
            points = np.where(self.on_platform[..., None], turned(points, self.table, degrees), points)
            points = np.concatenate([points, np.where(self.on_platform, thick, 0.0)[..., None]], -1)
        seen = view.pixels(points)
        return cv2.convertMaps(np.ascontiguousarray(seen[..., 0]), np.ascontiguousarray(seen[..., 1]), cv2.CV_16SC2)

    def pixel(self, point: Sequence[float] | Array) -> Array:
        """Column and row of a point in millimetres, not rounded."""
        return (np.asarray(point, np.float64) + self.margin) / self.pitch

    def millimetres(self, column: float, row: float) -> tuple[float, float]:
        return column * self.pitch - self.margin, row * self.pitch - self.margin

    def mask(self, outline: Array) -> Array:
        """The pixels inside an outline."""
        drawn = np.zeros(self.shape, np.uint8)
        corners = np.round(self.pixel(outline) * 16).astype(np.int32)
        cv2.fillPoly(drawn, [corners.reshape(-1, 1, 2)], (1,), cv2.LINE_8, 4)
        return drawn.astype(bool)


def read(frame: Array, maps: tuple[Array, Array]) -> Array:
    """The frame at those points; black where they lie outside it."""
    return cv2.remap(frame, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)


def space_outline(flat: Flat, space: str, degrees: float) -> Array:
    """Where a space lies now, the platform's carried with it."""
    corners = np.array(flat.board.spaces[space].outline)
    if flat.table and "platform" in flat.board.spaces[space].kinds:
        return turned(corners, flat.table, degrees)
    return corners
