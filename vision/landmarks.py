"""Landmarks: small textured pieces of the board's own picture, by which a view is verified and refined.

Each landmark is a patch of the reference picture (the empty board) round a known place of the board. In a later frame a window
round its expected place is taken upright, as the reference saw it, and searched for the patch by normalised correlation, which
does not mind the lamp. Landmarks under pieces, hands and glare do not correlate, or disagree with the rest and are outvoted:
the board is rigid, so all of it moves alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.solving import least_squares
from vision.view import View

Array = NDArray[Any]

RADIUS = 10  # of a patch, in reference pixels at a width of 1280
WIDE, NARROW = 14, 5  # how far a patch is searched for, in the same pixels
ALIKE = 0.6  # correlation from which a patch counts as a candidate; the vote decides
AGREE = 2.0  # pixels (at 1280) within which candidates agree
CELLS = 10  # the board is divided into so many by so many cells, one landmark each


class Motion(NamedTuple):
    """Where the landmarks say the board is."""

    view: View
    agreeing: int
    candidates: int
    chance: float  # that so many agree by accident
    doubt_mm: float  # standard deviation of the board's worst corner
    places: Array  # of the agreeing landmarks, board millimetres

    @property
    def sure(self) -> bool:
        return self.chance < 1e-6 and self.agreeing >= 5 and self.doubt_mm < 1.0


@dataclass(frozen=True, eq=False)
class Landmarks:
    reference: View
    board: Board
    pixel: float  # size of a reference pixel in frame pixels: larger frames are looked at no finer
    anchors: Array  # (n, 3, 2): millimetres of each centre, and of the points 8 reference pixels right of and below it
    patches: Array  # (n, side, side), grey, float32
    order: Array  # the most telling first, well spread

    @classmethod
    def of(cls, frame: Array, view: View, board: Board) -> Landmarks:
        pixel = max(view.size) / 1280
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
        small = cv2.resize(grey, None, fx=1 / pixel, fy=1 / pixel, interpolation=cv2.INTER_AREA).astype(np.float32)
        chosen = _choose(small, view, board, pixel)
        centres = np.array([c for c, _ in chosen], float).reshape(-1, 2)
        steps = centres[:, None] + np.array([[0, 0], [8, 0], [0, 8]])
        anchors = view.millimetres((steps + 0.5) * pixel - 0.5)
        side = 2 * RADIUS + 1
        patches = np.array([cv2.getRectSubPix(small, (side, side), tuple(map(float, c))) for c in centres], np.float32)
        return cls(view, board, pixel, anchors, patches.reshape(-1, side, side), _spread(centres))

    def match(self, frame: Array, view: View, which: Array, reach: int) -> tuple[Array, Array, Array]:
        """Where those landmarks are seen (pixels), how well they correlate, and the pixels where they were expected."""
        places = view.pixels(self.anchors[which])
        centres = places[:, 0]
        axes = (places[:, 1:] - centres[:, None]) / 8.0  # frame pixels for one reference pixel to the right, and down
        wide = RADIUS + reach
        steps = np.arange(-wide, wide + 1, dtype=np.float32)
        grid = (
            centres[:, None, None]
            + steps[None, None, :, None] * axes[:, None, None, 0]
            + steps[None, :, None, None] * axes[:, None, None, 1]
        )
        side = 2 * wide + 1
        windows = cv2.remap(frame, grid.reshape(-1, side, 2).astype(np.float32), np.empty(0), cv2.INTER_LINEAR)
        if windows.ndim == 3:
            windows = cv2.cvtColor(windows, cv2.COLOR_BGR2GRAY)
        windows = windows.reshape(-1, side, side)
        offsets, alike = np.zeros((len(which), 2)), np.zeros(len(which))
        patches = self.patches[which].astype(frame.dtype) if frame.dtype == np.uint8 else self.patches[which]
        for i, (window, patch) in enumerate(zip(windows, patches, strict=True)):
            likeness = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
            _, alike[i], _, (x, y) = cv2.minMaxLoc(likeness)
            offsets[i] = x + _peak(likeness[y], x) - reach, y + _peak(likeness[:, x], y) - reach
        height, width = frame.shape[:2]
        margin = RADIUS * self.pixel
        inside = (centres > margin).all(1) & (centres < np.array([width, height]) - 1 - margin).all(1)
        seen = centres + offsets[:, :1] * axes[:, 0] + offsets[:, 1:] * axes[:, 1]
        return seen, np.where(inside & np.isfinite(alike), alike, 0.0), centres

    def locate(self, frame: Array, view: View, reach: int, which: Array | None = None) -> Motion:
        """The view near this one by which most landmarks agree."""
        which = self.order if which is None else which
        seen, alike, _ = self.match(frame, view, which, reach)
        good = alike > ALIKE
        anchors, seen = self.anchors[which][good, 0], seen[good]
        tolerance = AGREE * self.pixel
        if len(seen) < 3:
            return Motion(view, 0, len(seen), 1.0, np.inf, np.empty((0, 2)))
        agree = _vote(anchors, view.millimetres(seen), tolerance / view.scale(np.array(self.board.size_mm) / 2))
        moved, doubt = view, float("inf")
        for _ in range(3):
            if agree.sum() < 3:
                break
            moved, doubt = self._solve(view, anchors[agree], seen[agree])
            agree = np.linalg.norm(moved.pixels(anchors) - seen, axis=1) < tolerance
        accident = np.pi * AGREE**2 / (2 * reach + 1) ** 2
        # Two landmarks may always be made to agree: only the others are evidence.
        chance = tail(len(seen) - 2, max(int(agree.sum()) - 2, 0), min(accident, 1.0))
        return Motion(moved, int(agree.sum()), len(seen), chance, doubt, anchors[agree])

    def _solve(self, start: View, points: Array, seen: Array) -> tuple[View, float]:
        """The pose that brings the points where they are seen, and the doubt of the board's worst corner in millimetres. Boards
        slide on a table: tilting and lifting are possible (a knocked camera) but need evidence."""
        motion = Slide(self.reference, self.board)
        numbers = motion.numbers(start)
        for _ in range(2):
            error = np.linalg.norm(motion.view(numbers).pixels(points) - seen, axis=1)
            spread = max(float(np.median(error)), 0.15 * self.pixel)
            root = np.sqrt(1 / (1 + (error / (2 * spread)) ** 2))[:, None] / spread

            def residuals(values: Array, root: Array = root) -> Array:
                return np.concatenate([((motion.view(values).pixels(points) - seen) * root).ravel(), values[3:] / TILTS])

            numbers, information = least_squares(residuals, numbers, SLIDE_STEPS, 8)
        covariance = np.linalg.pinv(information)
        width, height = self.board.size_mm
        doubts = []
        for corner in np.array([[0, 0], [width, 0], [width, height], [0, height]]) - motion.centre[:2]:
            lever = np.array([[1, 0, -corner[1]], [0, 1, corner[0]]])
            doubts.append(float(np.sqrt(np.trace(lever @ covariance[:3, :3] @ lever.T))))
        return motion.view(numbers), max(doubts)


TILTS = np.array([np.radians(0.7), np.radians(0.7), 3.0])  # how far a board or a camera is tilted and lifted by a usual knock
SLIDE_STEPS = np.array([0.05, 0.05, 1e-4, 1e-4, 1e-4, 0.05])


class Slide:
    """A board's pose as a motion since the reference: slid (x, y), turned, tilted (two axes), lifted; about its middle."""

    def __init__(self, reference: View, board: Board) -> None:
        self.reference = reference
        self.centre = np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0])
        self.rotation = cv2.Rodrigues(np.array(reference.turn, float))[0]

    def numbers(self, view: View) -> Array:
        rotation = cv2.Rodrigues(np.array(view.turn, float))[0]
        relative = self.rotation.T @ rotation
        angle = float(np.arctan2(relative[1, 0] - relative[0, 1], relative[0, 0] + relative[1, 1]))
        middle = self.rotation.T @ (rotation @ self.centre + np.array(view.shift) - np.array(self.reference.shift)) - self.centre
        return np.array([middle[0], middle[1], angle, 0.0, 0.0, 0.0])

    def view(self, numbers: Array) -> View:
        x, y, angle, tilt_x, tilt_y, lift = numbers
        turned = cv2.Rodrigues(np.array([0.0, 0.0, angle]))[0] @ cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))[0]
        rotation = self.rotation @ turned
        shift = self.rotation @ (self.centre + np.array([x, y, lift])) + np.array(self.reference.shift) - rotation @ self.centre
        return self.reference.moved(cv2.Rodrigues(rotation)[0], shift)


def displacement(board: Board, before: View, after: View) -> float:
    """How far the board's corner that moved most has moved, in millimetres."""
    width, height = board.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return float(np.linalg.norm(before.millimetres(after.pixels(corners)) - corners, axis=1).max())


def tail(n: int, k: int, p: float) -> float:
    """The chance of k or more hits in n tries."""
    if k <= 0 or n <= 0:
        return 1.0
    return float(min(1.0, sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))))


def still_parts(board: Board) -> tuple[Array, Array | None]:
    """The board's outline, and the round part of it that turns (as a convex outline), if there is one."""
    width, height = board.size_mm
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    turning = [p for s in board.of_kind("platform") for p in s.outline]
    if not turning:
        return outline, None
    hull = cv2.convexHull(np.array(turning, np.float32)).reshape(-1, 2)
    return outline, hull.mean(0) + (hull - hull.mean(0)) * 1.03


def board_mask(shape: tuple[int, int], view: View, board: Board, pixel: float, inset: int) -> Array:
    """Where a picture shaped so, whose pixels are so many frame pixels wide, shows the still parts of the board."""

    def drawn(points: Array) -> Array:
        return np.round((view.pixels(points) + 0.5) / pixel - 0.5).astype(np.int32)

    outline, turning = still_parts(board)
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [drawn(_dense(outline))], 255)
    if turning is not None:
        cv2.fillPoly(mask, [drawn(turning)], 0)
    mask[0], mask[-1], mask[:, 0], mask[:, -1] = 0, 0, 0, 0
    return np.asarray(cv2.erode(mask, np.ones((2 * inset + 1, 2 * inset + 1), np.uint8))) if inset else mask


def _dense(ring: Array) -> Array:
    """More points along a ring: lenses bend straight lines."""
    return np.concatenate([a + (b - a) * np.linspace(0, 1, 12, endpoint=False)[:, None] for a, b in zip(ring, np.roll(ring, -1, 0), strict=True)])


def _choose(small: Array, view: View, board: Board, pixel: float) -> list[tuple[tuple[int, int], float]]:
    """In each cell of the board the most telling place: textured in both directions, unlike its surroundings."""
    mask = board_mask((small.shape[0], small.shape[1]), view, board, pixel, RADIUS + 1)
    telling = cv2.cornerMinEigenVal(cv2.GaussianBlur(small, (0, 0), 1.0), RADIUS, ksize=3)
    noise = float(np.median(telling[::3, ::3]))
    telling[mask == 0] = 0
    ys, xs = np.nonzero(mask)
    if not len(xs):
        return []
    left, right, top, bottom = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
    chosen = []
    across, down = np.linspace(left, right, CELLS + 1).astype(int), np.linspace(top, bottom, CELLS + 1).astype(int)
    for row in range(CELLS):
        for column in range(CELLS):
            cell = telling[down[row] : down[row + 1], across[column] : across[column + 1]].copy()
            best: tuple[float, tuple[int, int]] = (0.0, (0, 0))
            for _ in range(3):
                if not cell.size or (value := float(cell.max())) <= 2 * noise:
                    break
                y, x = np.unravel_index(int(cell.argmax()), cell.shape)
                place = (int(x) + int(across[column]), int(y) + int(down[row]))
                best = max(best, (_uniqueness(small, place), place))
                cell[max(y - 6, 0) : y + 7, max(x - 6, 0) : x + 7] = 0
            if best[0] > 0.1:
                chosen.append((best[1], best[0]))
    return chosen


def _uniqueness(small: Array, place: tuple[int, int]) -> float:
    """How much less the patch is like anything near it than like itself."""
    x, y = place
    wide = RADIUS + WIDE
    window = small[max(y - wide, 0) : y + wide + 1, max(x - wide, 0) : x + wide + 1]
    patch = small[y - RADIUS : y + RADIUS + 1, x - RADIUS : x + RADIUS + 1]
    if patch.shape != (2 * RADIUS + 1,) * 2:
        return 0.0
    likeness = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, _, _, (px, py) = cv2.minMaxLoc(likeness)
    likeness[max(py - 4, 0) : py + 5, max(px - 4, 0) : px + 5] = -1
    return 1.0 - float(likeness.max())


def _spread(centres: Array) -> Array:
    """An order in which any first few are far from each other: each next one is the farthest from those before."""
    if not len(centres):
        return np.empty(0, int)
    order = [int(np.linalg.norm(centres - centres.mean(0), axis=1).argmax())]
    away = np.linalg.norm(centres - centres[order[0]], axis=1)
    while len(order) < len(centres):
        order.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(centres - centres[order[-1]], axis=1))
    return np.array(order)


def _peak(line: Array, at: int) -> float:
    """Where between the samples a parabola through the highest and its neighbours peaks."""
    if not 0 < at < len(line) - 1:
        return 0.0
    before, here, after = float(line[at - 1]), float(line[at]), float(line[at + 1])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else 0.5 * (before - after) / bend


def _vote(points: Array, seen: Array, tolerance: float) -> Array:
    """Which of the points agree in one slide and turn (all in millimetres). Every pair is asked, or many of them."""
    count = len(points)
    first, second = np.triu_indices(count, 1)
    apart = np.linalg.norm(points[first] - points[second], axis=1)
    likely = (np.abs(np.linalg.norm(seen[first] - seen[second], axis=1) - apart) < 2 * tolerance) & (apart > 20 * tolerance)
    pairs = np.flatnonzero(likely)
    best = np.zeros(count, bool)
    if not len(pairs):
        return best
    if len(pairs) > 300:
        pairs = pairs[:: -(-len(pairs) // 300)]
    a, b = points[first[pairs]], points[second[pairs]]
    c, d = seen[first[pairs]], seen[second[pairs]]
    turn = np.arctan2(d[:, 1] - c[:, 1], d[:, 0] - c[:, 0]) - np.arctan2(b[:, 1] - a[:, 1], b[:, 0] - a[:, 0])
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    middle, to = (a + b) / 2, (c + d) / 2
    x, y = points[None, :, 0] - middle[:, :1], points[None, :, 1] - middle[:, 1:]
    off_x = cos * x - sin * y + to[:, :1] - seen[None, :, 0]
    off_y = sin * x + cos * y + to[:, 1:] - seen[None, :, 1]
    agree = off_x**2 + off_y**2 < (1.5 * tolerance) ** 2
    return np.asarray(agree[int(agree.sum(1).argmax())])
