"""The board at first sight, before any corner was tapped: by printed tags whose places are known, or by its own shape and colours.

A board is sought as a large four-sided shape in whose frame the lines of the board file fall on edges of the picture, and whose
spaces have the file's colours; the colours also tell which side is up. Where that is not certain, it says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.draw import space_fill
from vision.fitting import Outlines, Picture, edge_strength, misfit, view_from_corners
from vision.tags import seen_tags
from vision.view import View

Array = NDArray[Any]

WIDTH = 640  # at which shapes are sought
SMALLEST = 0.06  # of the picture
WHOLE, CUT_OFF = "whole", "cut off"
EDGE = 0.012  # of its width: a corner this near to its edge lies on it
TRIED = 3  # shapes that are fitted closely
UPRIGHT = 0.1  # by so much its colours must agree better than those of any other turn


class Shape(NamedTuple):
    corners: Array  # top left, top right, bottom right, bottom left of the board, pixels
    misfit: float


def corners_from_tags(frame: Array, board: Board, places: Mapping[int, Any]) -> Array | None:
    """The board's corners by tags that lie at known places, in board millimetres; None when fewer than two of them are seen."""
    seen = seen_tags(frame)
    both = [tag for tag in seen if tag in places]
    if len(both) < 2:
        return None
    points = np.concatenate([np.asarray(places[tag], float) for tag in both])
    plane, _ = cv2.findHomography(points, np.concatenate([seen[tag] for tag in both]), cv2.RANSAC, 4.0 * max(frame.shape[:2]) / 1280)
    if plane is None:
        return None
    width, height = board.size_mm
    outline = np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], float)
    return np.asarray(cv2.perspectiveTransform(outline, plane)).reshape(4, 2)


def shapes(frame: Array, board: Board) -> list[Shape]:
    """Four-sided shapes that may be the board, the likeliest first; which corner is the top left one is only guessed by shape."""
    picture, outlines = Picture.of(frame), Outlines.of(board)
    size = (frame.shape[1], frame.shape[0])
    found = []
    for quad in _quads(frame):
        turns = []
        for turn in range(4):
            corners = np.roll(quad, -turn, 0)
            view = view_from_corners(size, board.size_mm, corners)
            turns.append(Shape(corners, misfit(picture, outlines, view, blur=2.0)))
        found.append(min(turns, key=lambda shape: shape.misfit))
    return sorted(found, key=lambda shape: shape.misfit)[:TRIED]


def shape_like_a_board(frame: Array) -> str:
    """Is there any large four-sided shape at all: `WHOLE`, or only `CUT_OFF` by the edge of the picture, or none (empty)?"""
    height, width = frame.shape[:2]
    near = EDGE * width
    found = set()
    strength = edge_strength(Picture.of(frame))
    along = np.linspace(0, 1, 40, endpoint=False)[:, None]
    for quad in _quads(frame):
        sides = np.concatenate([a + (b - a) * along for a, b in zip(quad, np.roll(quad, -1, 0), strict=True)])
        beyond = np.stack([quad[:, 0] < near, quad[:, 1] < near, quad[:, 0] > width - 1 - near, quad[:, 1] > height - 1 - near])
        if float(cv2.remap(strength, sides.reshape(-1, 1, 2).astype(np.float32), np.empty(0), cv2.INTER_LINEAR).mean()) > 0.5:
            found.add(CUT_OFF if (beyond.sum(1) >= 2).any() else WHOLE)
    return WHOLE if WHOLE in found else CUT_OFF if found else ""


def _quads(frame: Array) -> list[Array]:
    """Large four-sided outlines of anything, clockwise."""
    pixel = max(frame.shape[:2]) / WIDTH
    small = cv2.resize(frame, None, fx=1 / pixel, fy=1 / pixel, interpolation=cv2.INTER_AREA)
    found: list[Array] = []
    for channel in (*cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2Lab)), cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[..., 1]):
        smooth = cv2.GaussianBlur(channel, (0, 0), 1.2)
        slope = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        for part in (85, 93):
            level = max(float(np.percentile(slope, part)), 2.0)
            lines = cv2.morphologyEx((slope >= level).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            found += _four_sided(lines, small.shape[0] * small.shape[1])
    distinct: list[Array] = []
    for quad in found:
        if all(min(np.abs(np.roll(quad, i, 0) - other).max() for i in range(4)) > 4 for other in distinct):
            distinct.append(quad)
    return [(quad + 0.5) * pixel - 0.5 for quad in distinct]


def _four_sided(lines: Array, area: int) -> list[Array]:
    found = []
    contours, _ = cv2.findContours(lines, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if cv2.contourArea(cv2.convexHull(contour)) < SMALLEST * area:
            continue
        hull = cv2.convexHull(contour)
        for detail in (0.02, 0.04):
            corners = cv2.approxPolyDP(hull, detail * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
            if len(corners) == 4 and cv2.contourArea(corners.astype(np.float32)) >= SMALLEST * area:
                found.append(_clockwise(corners))
                break
    return found


def _clockwise(corners: Array) -> Array:
    """From the one nearest the picture's top left corner, clockwise as seen."""
    if not is_clockwise(corners):
        corners = corners[::-1]
    return np.roll(corners, -int(corners.sum(1).argmin()), 0)


def is_clockwise(corners: Array) -> bool:
    """Do four corners run clockwise, as seen, round a convex shape?"""
    sides = np.roll(corners, -1, 0) - corners
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    return bool((turns > 0).all())


def colour_agreement(frame: Array, board: Board, view: View) -> dict[int, float]:
    """For each quarter turn clockwise that the board's shape allows: how well the spaces' colours agree with the file's (-1 to 1).
    Empty when the file gives them all the same colour."""
    still = [s for s in board.spaces.values() if "platform" not in s.kinds]
    drawn = np.array([[int(space_fill(board, s)[i : i + 2], 16) for i in (5, 3, 1)] for s in still], float)
    wanted = np.log(drawn + 8.0)
    wanted -= wanted.mean(0)
    if np.abs(wanted).max() < 0.1:
        return {}
    width, height = board.size_mm
    centre = np.array([width, height]) / 2
    points = np.array([[s.centre] + [0.5 * np.add(p, s.centre) for p in _eight(s.outline)] for s in still], float)
    square = abs(width - height) < 0.03 * width
    agreement = {}
    for turn in (0, 1, 2, 3) if square else (0, 2):
        angle = np.radians(90 * turn)
        turning = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        places = view.pixels((points - centre) @ turning.T + centre)
        values = cv2.remap(frame, places, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        seen = np.median(np.log(values.reshape(len(still), -1, 3) + 8.0), 1)
        seen -= seen.mean(0)
        agreement[turn] = float((seen * wanted).sum() / max(np.linalg.norm(seen) * np.linalg.norm(wanted), 1e-9))
    return agreement


def _eight(outline: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """Eight corners of an outline, some of them twice if it has fewer."""
    return [outline[i * len(outline) // 8] for i in range(8)]
