"""What a thumb has put near the lines of a board laid flat, moved onto them: a grid, a ring, a circle, a strip of a path.

Each is a handful of numbers from which its lines follow. The numbers climb, in ever smaller steps, to where the picture changes most
across those lines; what is not seen there stays where the thumb has put it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

STEEPEST = 80.0  # a line that is steeper than this is no better
FINE = 2.2  # pixels within which both sides of a line count for its middle
STEPS = (6.0, 3.0, 1.5, 0.75, 0.4)  # pixels
CLEARER = 1.05  # by so much what is found must be clearer than what was given
ALL_ROUND = 25  # per cent of a circle that need not be seen
ALIKE = 0.35  # by so much, as a ratio, circles differ from where the hand has begun
USUAL = 0.08  # and from those beside them
BESIDE = 4.0  # pixels on both sides of a circle where its colours are compared
LINE = 0.15  # what a clear line round it counts against different colours
SAMPLES = 14  # along a line
MOST_AT_ONCE = 30_000  # points that OpenCV samples in one call
ANGLES = np.radians(np.arange(0, 360, 5.0))


class Lines(NamedTuple):
    """Points on lines, and across them."""

    points: Array
    normals: Array


class Slopes:
    """How steeply the colours change at each place, in which direction. A printed line is steep on both its sides: within a few pixels both
    count for its middle."""

    def __init__(self, frame: Array) -> None:
        lab = cv2.cvtColor(cv2.GaussianBlur(frame, (0, 0), 0.8), cv2.COLOR_BGR2Lab).astype(np.float32)
        right, down = cv2.Sobel(lab, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(lab, cv2.CV_32F, 0, 1, ksize=3)
        steep = np.maximum(np.sqrt((right**2 + down**2).sum(2, keepdims=True)), 1e-6)
        right, down = (slope * np.minimum(1.0, STEEPEST / steep) for slope in (right, down))
        self.smooth = cv2.GaussianBlur(lab, (0, 0), FINE) * np.array([0.6, 1.0, 1.0], np.float32)
        self.tensor = np.stack([(right**2).sum(2), (right * down).sum(2), (down**2).sum(2)], 2)
        self._at: dict[float, Array] = {}

    def clear(self, lines: Lines, blur: float) -> Array:
        """How clear each point's line is there."""
        if blur not in self._at:
            self._at[blur] = cv2.GaussianBlur(self.tensor, (0, 0), blur)
        found = _sampled(self._at[blur], lines.points)
        x, y = lines.normals[:, 0], lines.normals[:, 1]
        return np.asarray(np.sqrt(np.maximum(found[:, 0] * x * x + 2 * found[:, 1] * x * y + found[:, 2] * y * y, 0.0)))


def _sampled(picture: Array, points: Array) -> Array:
    parts = [points[i : i + MOST_AT_ONCE, None].astype(np.float32) for i in range(0, len(points), MOST_AT_ONCE)]
    return np.concatenate([cv2.remap(picture, part, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0] for part in parts])


def climbed(slopes: Slopes, start: Sequence[float], moves: Array, lines: Callable[[Array], Lines], steps: Sequence[float] = STEPS) -> Array:
    """The numbers near `start` whose lines are clearest; `moves` are the directions in which they may go, for a step of one pixel."""
    best = np.array(start, float)
    given = float(slopes.clear(lines(best), FINE).mean())
    for step in steps:
        blur = max(FINE, step)
        score = float(slopes.clear(lines(best), blur).mean())
        for _ in range(12):
            tried = [best + way * step for move in moves for way in (move, -move)]
            scores = [float(slopes.clear(lines(numbers), blur).mean()) for numbers in tried]
            top = int(np.argmax(scores))
            if scores[top] <= score * 1.0005:
                break
            best, score = tried[top], scores[top]
    found = float(slopes.clear(lines(best), FINE).mean())
    return best if found > CLEARER * given else np.array(start, float)


def along(starts: Array, ends: Array) -> Lines:
    """Straight lines; both (n, 2)."""
    parts = np.linspace(0.06, 0.94, SAMPLES)[None, :, None]
    points = starts[:, None] + (ends - starts)[:, None] * parts
    direction = (ends - starts) / np.maximum(np.linalg.norm(ends - starts, axis=1, keepdims=True), 1e-9)
    normals = np.repeat(np.stack([-direction[:, 1], direction[:, 0]], 1)[:, None], SAMPLES, 1)
    return Lines(points.reshape(-1, 2), normals.reshape(-1, 2))


def both(*lines: Lines) -> Lines:
    return Lines(np.concatenate([line.points for line in lines]), np.concatenate([line.normals for line in lines]))


def circle(x: float, y: float, radius: float) -> Lines:
    outwards = np.stack([np.cos(ANGLES), np.sin(ANGLES)], 1)
    return Lines(np.array([x, y]) + radius * outwards, outwards)


# --- shapes, in pixels ---


def snapped_grid(slopes: Slopes, left: float, right: float, top: float, bottom: float, columns: int, rows: int) -> list[float]:
    def lines(numbers: Array) -> Lines:
        xs, ys = np.linspace(numbers[0], numbers[1], columns + 1), np.linspace(numbers[2], numbers[3], rows + 1)
        down = along(np.stack([xs, np.full_like(xs, ys[0])], 1), np.stack([xs, np.full_like(xs, ys[-1])], 1))
        return both(down, along(np.stack([np.full_like(ys, xs[0]), ys], 1), np.stack([np.full_like(ys, xs[-1]), ys], 1)))

    moves = np.concatenate([np.eye(4), [[1, 1, 0, 0], [0, 0, 1, 1]]])
    return [float(v) for v in climbed(slopes, [left, right, top, bottom], moves, lines)]


def snapped_ring(slopes: Slopes, middle: Sequence[float], radii: Sequence[float], first: float, count: int) -> list[float]:
    """Middle, four radii, and the angle (degrees clockwise from the top) at which its spaces begin."""
    reach = radii[0]

    def lines(numbers: Array) -> Lines:
        x, y, outer, inner, rim, hub, turned = numbers
        angles = np.radians(turned / reach * 180 / np.pi - 90 + np.arange(count) * 360 / count)
        ways = np.stack([np.cos(angles), np.sin(angles)], 1)
        spokes = [along(np.array([x, y]) + near * ways, np.array([x, y]) + far * ways) for near, far in ((inner, outer), (hub, rim))]
        return both(*spokes, *(circle(x, y, r) for r in (outer, inner, rim, hub) for _ in range(3)))

    start = [*middle, *radii, np.radians(first) * reach]  # the angle as pixels along the rim
    x, y, outer, inner, rim, hub, turned = climbed(slopes, start, np.eye(7), lines)
    rim = min(rim, inner)
    return [float(v) for v in (x, y, outer, inner, rim, min(hub, rim - 1), np.degrees(turned / reach))]


def snapped_disc(slopes: Slopes, x: float, y: float, radius: float, is_usual: bool = False) -> list[float]:
    """The circle about here within which the colours differ all round from those outside, or else that is drawn as a line all round.
    `is_usual`: others of the board have this radius."""
    reach = np.linspace(-0.8, 0.8, 17) * min(radius, 32.0)
    sizes = radius * (np.geomspace(0.9, 1.12, 7) if is_usual else np.geomspace(0.5, 1.75, 36))
    middles = np.array([(x + dx, y + dy) for dx in reach for dy in reach])
    outwards = np.stack([np.cos(ANGLES[::3]), np.sin(ANGLES[::3])], 1)
    shape = (len(middles), len(sizes), len(outwards))
    points = middles[:, None, None] + sizes[None, :, None, None] * outwards[None, None]
    normals = np.broadcast_to(outwards, points.shape)
    drawn = np.percentile(slopes.clear(Lines(points.reshape(-1, 2), normals.reshape(-1, 2)), FINE).reshape(shape), ALL_ROUND, axis=2)
    out, within = (_sampled(slopes.smooth, (points + side * BESIDE * normals).reshape(-1, 2)).reshape(*shape, 3) for side in (1, -1))
    filled = np.linalg.norm(np.median(out - within, axis=2), axis=2)
    scores = (filled + LINE * drawn) * np.exp(-((np.log(sizes / radius) / (USUAL if is_usual else ALIKE)) ** 2) / 2)
    middle, size = np.unravel_index(int(scores.argmax()), scores.shape)
    if scores.max() < 2 * float(np.median(scores)):
        return [x, y, radius]
    return [float(v) for v in climbed(slopes, [*middles[middle], sizes[size]], np.eye(3), lambda numbers: circle(*numbers), (1.5, 0.75, 0.4))]


def snapped_strip(slopes: Slopes, corners: Array, count: int, middle: Sequence[float], turns: Sequence[float]) -> Array:
    """Corners (start left, start right, end right, end left) of a strip that is cut into so many spaces, and comes round at these
    angles about the middle."""
    parts = np.arange(count + 1)[:, None] / count

    def lines(numbers: Array) -> Lines:
        a, b, c, d = numbers.reshape(4, 2)
        left, right = a + (d - a) * parts, b + (c - b) * parts
        one = both(along(left, right), along(np.stack([a, b]), np.stack([d, c])), along(np.stack([a, b]), np.stack([d, c])))
        return both(*(_turned(one, middle, angle) for angle in turns))

    moves = [*np.eye(8)]
    for pair in ((0, 1), (2, 3), (0, 3), (1, 2), (0, 1, 2, 3)):  # a side, or all of it, goes as a whole
        for axis in (0, 1):
            move = np.zeros((4, 2))
            move[list(pair), axis] = 1
            moves.append(move.ravel())
    centre = corners.mean(0)
    moves.append(((corners - centre) / np.linalg.norm(corners - centre, axis=1).max()).ravel())
    return climbed(slopes, corners.ravel().tolist(), np.array(moves), lines).reshape(4, 2)


def _turned(lines: Lines, middle: Sequence[float], degrees: float) -> Lines:
    angle = np.radians(degrees)
    turning = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return Lines((lines.points - np.asarray(middle)) @ turning + np.asarray(middle), lines.normals @ turning)
