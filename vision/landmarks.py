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
from vision.view import View

Array = NDArray[Any]

RADIUS = 10  # of a patch, in reference pixels at a width of 1280
WIDE, NARROW = 14, 5  # how far a patch is searched for, in the same pixels
CLOSE = 0.75  # the same where no search was made
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

    @property
    def sure(self) -> bool:
        return self.chance < 1e-6 and self.agreeing >= 5 and self.doubt_mm < 1.0


class Drift(NamedTuple):
    """How far the landmarks say the board has slid."""

    moved_mm: float  # of the board's corner that moved most
    doubt_mm: float
    agreeing: int
    candidates: int
    chance: float


class Windows(NamedTuple):
    """Where to look for landmarks in the frames of one view."""

    which: Array
    reach: int
    grid: Array
    centres: Array  # where they are expected, pixels
    axes: Array  # frame pixels for one reference pixel to the right, and for one down
    inside: Array  # whether the frame shows them

    def places(self, offsets: Array) -> Array:
        """Pixels of what lies so many reference pixels off the centres."""
        return np.asarray(self.centres + offsets[:, :1] * self.axes[:, 0] + offsets[:, 1:] * self.axes[:, 1])


@dataclass(frozen=True, eq=False)
class Landmarks:
    reference: View
    board: Board
    pixel: float  # size of a reference pixel in frame pixels: larger frames are looked at no finer
    anchors: Array  # (n, 3, 2): millimetres of each centre, and of the points 8 reference pixels right of and below it
    patches: Array  # (n, side, side), grey
    solvers: Array  # (n, 4, side²): from what is seen to shift x, y, gain and level of the patch
    order: Array  # the most telling first, well spread

    @classmethod
    def of(cls, frame: Array, view: View, board: Board) -> Landmarks:
        pixel = max(view.size) / 1280
        grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
        small = cv2.resize(grey, None, fx=1 / pixel, fy=1 / pixel, interpolation=cv2.INTER_AREA)
        chosen = _choose(small, view, board, pixel)
        centres = np.array([c for c, _ in chosen], float).reshape(-1, 2)
        steps = centres[:, None] + np.array([[0, 0], [8, 0], [0, 8]])
        anchors = view.millimetres((steps + 0.5) * pixel - 0.5)
        side = 2 * RADIUS + 1
        patches = np.array([small[y - RADIUS : y + RADIUS + 1, x - RADIUS : x + RADIUS + 1] for (x, y), _ in chosen], small.dtype)
        patches = patches.reshape(-1, side, side)
        return cls(view, board, pixel, anchors, patches, _solvers(patches), _spread(centres))

    def windows(self, view: View, which: Array, reach: int) -> Windows:
        """Where to look for those landmarks by this view."""
        places = view.pixels(self.anchors[which])
        centres = places[:, 0]
        axes = (places[:, 1:] - places[:, :1]) / np.float32(8)
        steps = np.arange(-RADIUS - reach, RADIUS + reach + 1, dtype=np.float32)
        right, down = axes[:, None, None, 0], axes[:, None, None, 1]
        grid = places[:, None, None, 0] + steps[None, None, :, None] * right + steps[None, :, None, None] * down
        width, height = view.size
        margin = RADIUS * self.pixel
        inside = np.asarray(((centres > margin) & (centres < np.array([width, height]) - 1 - margin)).all(1))
        return Windows(which, reach, grid.reshape(-1, len(steps), 2), centres, axes, inside)

    def _take(self, frame: Array, windows: Windows) -> Array:
        """What the frame shows in those windows, upright as the reference saw it, grey."""
        taken = cv2.remap(frame, windows.grid, np.empty(0), cv2.INTER_LINEAR)
        if taken.ndim == 3:
            taken = cv2.cvtColor(taken, cv2.COLOR_BGR2GRAY)
        side = windows.grid.shape[1]
        return np.asarray(taken).reshape(-1, side, side)

    def match(self, frame: Array, windows: Windows) -> tuple[Array, Array]:
        """Where those landmarks are seen (pixels), and how well they correlate."""
        reach = windows.reach
        offsets, alike = np.zeros((len(windows.which), 2)), np.zeros(len(windows.which))
        for i, (window, patch) in enumerate(zip(self._take(frame, windows), self.patches[windows.which], strict=True)):
            likeness = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
            _, alike[i], _, (x, y) = cv2.minMaxLoc(likeness)
            offsets[i] = x + _peak(likeness[y], x) - reach, y + _peak(likeness[:, x], y) - reach
        return windows.places(offsets), np.where(windows.inside & np.isfinite(alike), alike, 0.0)

    def nudge(self, frame: Array, windows: Windows) -> tuple[Array, Array]:
        """The same for landmarks that are a pixel or two off at most, much cheaper: shift, gain and level of each patch in one
        linear step."""
        taken = self._take(frame, windows).reshape(len(windows.which), -1).astype(np.float32)
        parts = np.einsum("nij,nj->ni", self.solvers[windows.which], taken)
        gain = np.where(np.abs(parts[:, 2]) > 1e-3, parts[:, 2], np.inf)
        offsets = -parts[:, :2] / gain[:, None]
        taken -= taken.mean(1, keepdims=True)
        patches = self.patches[windows.which].reshape(len(taken), -1)
        patches = patches - patches.mean(1, keepdims=True)
        size = np.sqrt((taken**2).sum(1) * (patches**2).sum(1))
        alike = (taken * patches).sum(1) / np.maximum(size, 1e-6)
        return windows.places(offsets), np.where(windows.inside, alike, 0.0)

    def locate(self, frame: Array, view: View, reach: int, which: Array | None = None, level: View | None = None) -> Motion:
        """The view near this one by which most landmarks agree. It is expected to be level with `level`, the reference unless told."""
        windows = self.windows(view, self.order if which is None else which, reach)
        seen, alike = self.match(frame, windows)
        good = alike > ALIKE
        anchors, seen = self.anchors[windows.which][good, 0], seen[good]
        agree = self._agree(view, anchors, seen)
        moved, doubt = view, float("inf")
        for _ in range(2):
            if agree.sum() >= 3:
                moved, doubt = self._solve(view, anchors[agree], seen[agree], level or self.reference)
                agree = np.linalg.norm(moved.pixels(anchors) - seen, axis=1) < AGREE * self.pixel
        return Motion(moved, int(agree.sum()), len(seen), _chance(len(seen), int(agree.sum()), reach), doubt)

    def drift(self, frame: Array, view: View, windows: Windows, cheap: bool) -> Drift:
        """How far the board has slid since this view, by a few landmarks, without a new view."""
        seen, alike = self.nudge(frame, windows) if cheap else self.match(frame, windows)
        good = alike > (CLOSE if cheap else ALIKE)
        before, after = self.anchors[windows.which][good, 0], view.millimetres(seen[good])
        agree = _vote(before, after, AGREE * self.pixel / self._scale(view))
        count = int(agree.sum())
        if count < 3:
            return Drift(0.0, float("inf"), count, len(before), 1.0)
        before, after = before[agree], after[agree]
        middle, to = before.mean(0), after.mean(0)
        a, b = before - middle, after - to
        turn = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
        turning = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        width, height = self.board.size_mm
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - middle
        moved = float(np.linalg.norm(corners @ turning.T + to - middle - corners, axis=1).max())
        spread = float(np.sqrt(((a @ turning.T - b) ** 2).sum() / max(2 * count - 3, 1)))
        lever = float((corners**2).sum(1).max() / max((a**2).sum(), 1e-9))
        return Drift(moved, spread * float(np.sqrt(2 / count + lever)), count, len(good), _chance(int(good.sum()), count, windows.reach or NARROW))

    def _agree(self, view: View, anchors: Array, seen: Array) -> Array:
        if len(seen) < 3:
            return np.zeros(len(seen), bool)
        return _vote(anchors, view.millimetres(seen), AGREE * self.pixel / self._scale(view))

    def _scale(self, view: View) -> float:
        return view.scale(np.array(self.board.size_mm) / 2)

    def _solve(self, start: View, points: Array, seen: Array, level: View) -> tuple[View, float]:
        """The pose that brings the points where they are seen, and the doubt of the board's worst corner in millimetres. Boards
        slide on a table: tilting and lifting are possible (a knocked camera) but need evidence."""
        motion = Slide(level, self.board)
        numbers = motion.numbers(start)
        # The motion is small: one slope serves all rounds.
        slope = start.slopes(points)[:, :6] @ motion.slopes(numbers)
        usual = np.diag(np.concatenate([np.zeros(3), 1 / TILTS**2]))
        information = usual
        for _ in range(3):
            error = seen - motion.view(numbers).pixels(points)
            length = np.linalg.norm(error, axis=1)
            spread = max(float(np.median(length)), 0.15 * self.pixel)
            weight = np.repeat(1 / (1 + (length / (2 * spread)) ** 2), 2) / spread**2
            information = slope.T @ (slope * weight[:, None]) + usual
            numbers = numbers + np.linalg.solve(information, slope.T @ (weight * error.ravel()) - usual @ numbers)
        return motion.view(numbers), self._doubt(np.linalg.inv(information)[:3, :3], motion.centre)

    def _doubt(self, covariance: Array, centre: Array) -> float:
        """The standard deviation of the board's worst corner, from that of its slide and turn."""
        width, height = self.board.size_mm
        levers = [np.array([[1, 0, centre[1] - y], [0, 1, x - centre[0]]]) for x in (0, width) for y in (0, height)]
        return max(float(np.sqrt(np.trace(lever @ covariance @ lever.T))) for lever in levers)


TILTS = np.array([np.radians(0.7), np.radians(0.7), 3.0])  # how far a board or a camera is tilted and lifted by a usual knock
SLIDE_STEPS = np.array([0.05, 0.05, 1e-4, 1e-4, 1e-4, 0.05])


class Slide:
    """A board's pose as a motion since another view: slid (x, y), turned, tilted (two axes), lifted; about its middle."""

    def __init__(self, reference: View, board: Board) -> None:
        self.reference = reference
        self.centre = np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0])
        self.rotation = cv2.Rodrigues(np.array(reference.turn, float))[0]
        self.shift = np.array(reference.shift)

    def numbers(self, view: View) -> Array:
        rotation = cv2.Rodrigues(np.array(view.turn, float))[0]
        relative = self.rotation.T @ rotation
        angle = float(np.arctan2(relative[1, 0] - relative[0, 1], relative[0, 0] + relative[1, 1]))
        middle = self.rotation.T @ (rotation @ self.centre + np.array(view.shift) - np.array(self.reference.shift)) - self.centre
        return np.array([middle[0], middle[1], angle, 0.0, 0.0, 0.0])

    def pose(self, numbers: Array) -> Array:
        """Turn and shift, as a view has them."""
        x, y, angle, tilt_x, tilt_y, lift = numbers
        turned = cv2.Rodrigues(np.array([0.0, 0.0, angle]))[0] @ cv2.Rodrigues(np.array([tilt_x, tilt_y, 0.0]))[0]
        rotation = self.rotation @ turned
        shift = self.rotation @ (self.centre + np.array([x, y, lift])) + self.shift - rotation @ self.centre
        return np.concatenate([cv2.Rodrigues(rotation)[0].ravel(), shift])

    def slopes(self, numbers: Array) -> Array:
        """How turn and shift change with the numbers."""
        return np.stack([(self.pose(numbers + s) - self.pose(numbers - s)) / (2 * s.sum()) for s in np.diag(SLIDE_STEPS)], 1)

    def view(self, numbers: Array) -> View:
        pose = self.pose(numbers)
        return self.reference.moved(pose[:3], pose[3:])


def _chance(candidates: int, agreeing: int, reach: int) -> float:
    """The chance that so many candidates agree by accident. Two can always be made to agree: only the others are evidence."""
    accident = np.pi * AGREE**2 / (2 * reach + 1) ** 2
    return tail(candidates - 2, agreeing - 2, min(accident, 1.0))


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
    telling = cv2.cornerMinEigenVal(cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0), RADIUS, ksize=3)
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
                if not cell.size or float(cell.max()) <= 2 * noise:
                    break
                y, x = np.unravel_index(int(cell.argmax()), cell.shape)
                place = (int(x) + int(across[column]), int(y) + int(down[row]))
                best = max(best, (_uniqueness(small, place), place))
                cell[max(y - 6, 0) : y + 7, max(x - 6, 0) : x + 7] = 0
            if best[0] > 0.1:
                chosen.append((best[1], best[0]))
    return chosen


def _solvers(patches: Array) -> Array:
    """For each patch: what is seen is the patch times a gain plus a level, shifted a little along its slopes."""
    values = patches.astype(np.float32)
    down, across = np.gradient(values, axis=(1, 2)) if len(values) else (values, values)
    parts = np.stack([across, down, values, np.ones_like(values)], -1).reshape(len(values), -1, 4)
    return np.linalg.pinv(parts) if len(values) else np.empty((0, 4, values[0:].shape[1] ** 2), np.float32)


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
    if count < 3:
        return np.zeros(count, bool)
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
