"""Fitting a view to a picture of the empty board: the outlines of its spaces and its border are snapped to the picture's edges.

Along the normal of every outline the strongest changes of colour are sought, at first within the reach of a careless tap, then
closer and closer. Pose, focal length and lens are fitted to them by least squares; a bend of the cardboard only as far as it
explains the picture better. A board seen from straight above cannot tell the focal length, so it is held near that of common
cameras.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.view import Bend, View

Array = NDArray[Any]

SPACING_MM = 4.0  # between two samples along an outline
MOST_SAMPLES = 1000  # of all outlines; more lines are sampled more thinly
USUAL_FOCAL, FOCAL_SPREAD = 0.85, 0.3  # of the frame's width; common webcams and Pi cameras lie between 0.55 and 1.2
LENS_SPREAD = 0.1
OUTER_TRUST = 0.05
CLEARLY = 0.6  # of the mean square that must be left
BORDER_REACH = 3.0  # of the fit after which the board's edge is told from lines printed along it
CURL_SPREAD = 1.5  # mm of height per (100 mm)²: old cardboard curls by a few mm
CREASE_SPREAD = 3.0  # mm of height per 100 mm off the fold
TAP = 5.0  # pixels at 1280 by which corners are tapped wrong
RESTS = 0.01  # of the reach: smaller steps are no news
REACHES = (6.0, 4.5, 3.0, 1.2)  # pixels at a width of 1280


@dataclass(frozen=True)
class Outlines:
    """Points along the lines that the board file promises, with their normals; millimetres."""

    points: Array
    normals: Array
    trust: Array
    side: Array  # 0 to 3 for the board's border from the top clockwise, -1 for lines inside

    @classmethod
    def of(cls, board: Board) -> Outlines:
        width, height = board.size_mm
        border = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        found: dict[tuple[int, int, int], tuple[Array, Array, float, int]] = {}
        for side, (start, end) in enumerate(zip(border, (*border[1:], border[0]), strict=True)):
            for point, normal in _between(start, end):
                found[_key(point, normal)] = point, normal, 1.0, side
        # A platform turns and lies higher: its spaces are not where the file draws them.
        for space in board.spaces.values():
            if "platform" not in space.kinds:
                for point, normal in _along(space.outline):
                    key = _key(point, normal)
                    # A line between two spaces is drawn on their common edge; an outer one may be drawn inside or outside of it.
                    if key not in found:
                        found[key] = point, normal, OUTER_TRUST, -1
                    elif found[key][3] < 0:
                        found[key] = point, normal, 1.0, -1
        lines = list(found.values())
        thin = max(1.0, len(lines) / MOST_SAMPLES)
        points, normals, trust, sides = zip(*[lines[int(i * thin)] for i in range(int(len(lines) / thin))], strict=True)
        return cls(np.array(points), np.array(normals), np.array(trust), np.array(sides))


def _key(point: Array, normal: Array) -> tuple[int, int, int]:
    """The same for the same place of the same line."""
    return int(point[0] / 2), int(point[1] / 2), round(float(np.degrees(np.arctan2(*normal))) % 180 / 20) % 9


def _along(ring: Sequence[tuple[float, float]]) -> Iterator[tuple[Array, Array]]:
    """Points along a closed line with their normals."""
    for start, end in zip(ring, (*ring[1:], ring[0]), strict=True):
        yield from _between(start, end)


def _between(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[Array, Array]]:
    along = np.subtract(end, start)
    length = float(np.hypot(*along))
    count = max(1, int(length // SPACING_MM))
    for part in (np.arange(count) + 0.5) / count if length > 1e-6 else ():
        yield np.asarray(start) + part * along, np.array([-along[1], along[0]]) / length


class Picture(NamedTuple):
    smooth: Array
    grain: float  # how much the picture changes over half a pixel where it shows nothing, squared

    @classmethod
    def of(cls, frame: Array) -> Picture:
        smooth = cv2.GaussianBlur(frame.astype(np.float32), (0, 0), max(frame.shape[:2]) / 1280)
        change = smooth[::4, 1::4] - smooth[::4, :-1:4][:, : smooth[::4, 1::4].shape[1]]
        return cls(smooth, float(np.median((change.reshape(change.shape[0], change.shape[1], -1) ** 2).sum(-1))) / 4 + 1e-3)


class Edges(NamedTuple):
    """What the picture shows across the outlines: where they are expected, which way their normals point, how strong the picture
    changes at each offset along them (in units of its noise), and those offsets."""

    expected: Array
    normals: Array
    energy: Array
    offsets: Array


def edges(picture: Picture, view: View, outlines: Outlines, reach: float) -> Edges:
    smooth, grain = picture
    expected = view.pixels(outlines.points).astype(float)
    ahead = view.pixels(outlines.points + outlines.normals).astype(float) - expected
    normals = ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    offsets = np.arange(-reach, reach + 0.01, 0.5)
    between = np.concatenate([offsets - 0.25, offsets[-1:] + 0.25])
    places = (expected[:, None] + normals[:, None] * between[None, :, None]).astype(np.float32)
    profiles = cv2.remap(smooth, places, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = np.diff(profiles.reshape(len(expected), len(between), -1), axis=1)
    energy = (steps**2).sum(-1) / grain
    height, width = smooth.shape[:2]
    inside = np.asarray(((expected > reach) & (expected < np.array([width, height]) - 1 - reach)).all(1))
    return Edges(expected, normals, np.sqrt(np.maximum(energy - 6.0, 0)) * inside[:, None], offsets)




class Fit(NamedTuple):
    view: View
    residual: float  # of the lines that were found, in pixels (root mean square)
    found: float  # the share of the board's lines that were found
    misfit: float  # how much of the lines is missing, against the same lines laid some pixels beside: 1 is no better than chance


def fit(frame: Array, board: Board, start: View, bent: bool = True, reaches: tuple[float, ...] = REACHES) -> Fit:
    """The view that best explains the picture, beginning from one that is some pixels off; `bent` if cardboard may be."""
    picture, outlines = Picture.of(frame), Outlines.of(board)
    pixel = max(frame.shape[:2]) / 1280
    model = Model(start, board)
    begun = model.numbers(start)
    for reach in reaches:
        if reach > BORDER_REACH:
            begun = _improve(picture, outlines, model, begun, reach * pixel, "pose", 4)
    best = _closer(picture, outlines, model, begun, reaches, pixel, "camera")
    kept = "camera"
    for bend in ("curl", "crease-x", "crease-y") if bent else ():
        tried = _closer(picture, outlines, model, begun, reaches, pixel, bend)
        if _better(picture, outlines, model, best, tried, pixel, len(FREE[bend]) - len(FREE[kept])):
            best, kept = tried, bend
        elif bend == "curl":
            break  # cardboard that is not even curled has no crease
    view = model.view(best)
    residual, found = _residual(picture, outlines, view, reaches[-1] * pixel)
    return Fit(view, residual, found, misfit(picture, outlines, view))


def _closer(picture: Picture, outlines: Outlines, model: Model, numbers: Array, reaches: tuple[float, ...], pixel: float, free: str) -> Array:
    """From within a few pixels to within a fraction of one."""
    for reach in reaches:
        if reach <= BORDER_REACH:
            numbers = _improve(picture, outlines, model, numbers, reach * pixel, free, 25 if reach == reaches[-1] else 4)
        if reach == BORDER_REACH:
            numbers, faint = _choose_border(picture, outlines, model, numbers, pixel, free)
            if faint:
                outlines = replace(outlines, trust=np.where(outlines.side < 0, outlines.trust, 0.0))
    return numbers


def _residual(picture: Picture, outlines: Outlines, view: View, reach: float) -> tuple[float, float]:
    """How far the lines that were found are off (pixels, root mean square), and what share of the lines was found."""
    offsets, weights = _snap(edges(picture, view, outlines, 3 * reach), reach)
    firm = outlines.trust == 1
    close = firm & (weights > 0.25) & (np.abs(offsets) < 2 * reach)
    residual = float(np.sqrt(np.mean(offsets[close] ** 2))) if close.any() else float("inf")
    return residual, float(close.sum() / firm.sum())


def misfit(picture: Picture, outlines: Outlines, view: View, blur: float = 0.0) -> float:
    """How much of the board's lines the picture lacks, against the same lines laid some pixels beside: 1 is no better than chance."""
    strength = edge_strength(picture)
    pixel = max(strength.shape) / 1280
    if blur:
        strength = cv2.GaussianBlur(strength, (0, 0), blur * pixel)
    places = view.pixels(outlines.points)

    def missing(offset: tuple[float, float]) -> float:
        moved = (places + np.array(offset, np.float32) * pixel).reshape(-1, 1, 2)
        return 1.0 - float(cv2.remap(strength, moved, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).mean())

    far = [5 + 4 * blur, 8 + 5 * blur]
    beside = [missing((r * np.cos(a), r * np.sin(a))) for r in far for a in np.arange(8) * np.pi / 4]
    return missing((0.0, 0.0)) / max(float(np.mean(beside)), 1e-6)


POSE = (0, 1, 2, 3, 4, 5)
FREE = {
    "pose": POSE,
    "camera": (*POSE, 6, 7),
    "curl": (*POSE, 6, 7, 8, 9, 10),
    "crease-x": (*POSE, 6, 7, 8, 9, 10, 11),
    "crease-y": (*POSE, 6, 7, 8, 9, 10, 12),
}
STEPS = (0.0,) * 8 + (0.02, 0.02, 0.02, 0.05, 0.05)  # small changes of the bend's numbers
# How far each number may be expected from its usual value; pose is free.
SPREADS = np.array([np.inf] * 6 + [FOCAL_SPREAD, LENS_SPREAD, *[CURL_SPREAD] * 3, CREASE_SPREAD, CREASE_SPREAD])


class Model:
    """A view as a list of numbers: turn, shift, log focal, lens, curl, and the slopes of creases along x and along y."""

    def __init__(self, start: View, board: Board) -> None:
        self.base = start
        self.centre = (board.size_mm[0] / 2, board.size_mm[1] / 2)
        width, height = board.size_mm
        self.corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        self.careless = TAP * max(start.size) / 1280
        self.tapped = start.pixels(self.corners).astype(float)
        self.usual = np.array([0.0] * 6 + [np.log(USUAL_FOCAL * start.size[0]), *[0.0] * 6])

    def numbers(self, view: View) -> Array:
        return np.array([*view.turn, *view.shift, np.log(view.focal), view.lens[0], *view.bend.curl, 0.0, 0.0])

    def view(self, numbers: Array) -> View:
        *pose, focal, lens, xx, xy, yy, along_x, along_y = (float(n) for n in numbers)
        crease = (0.0, 0.0, along_x) if along_x else (90.0, 0.0, along_y)
        bend = Bend(self.centre, (xx, xy, yy), crease) if any((xx, xy, yy, along_x, along_y)) else Bend()
        return replace(self.base, focal=float(np.exp(focal)), lens=(lens, 0.0), bend=bend).moved(np.array(pose[:3]), np.array(pose[3:]))

    def slopes(self, numbers: Array, outlines: Outlines, normals: Array, chosen: list[int]) -> Array:
        """How the lines move along their normals with each of the chosen numbers."""
        known = (self.view(numbers).slopes(outlines.points).reshape(-1, 2, 8) * normals[:, :, None]).sum(1)
        return np.stack([known[:, i] if i < 8 else self._slope(numbers, outlines, normals, i) for i in chosen], 1)

    def _slope(self, numbers: Array, outlines: Outlines, normals: Array, which: int) -> Array:
        ahead, behind = numbers.copy(), numbers.copy()
        ahead[which] += STEPS[which]
        behind[which] -= STEPS[which]
        change = self.view(ahead).pixels(outlines.points) - self.view(behind).pixels(outlines.points)
        return np.asarray((change * normals).sum(1) / (2 * STEPS[which]))


def _snap(seen: Edges, reach: float) -> tuple[Array, Array]:
    """For each sample how far along its normal the line lies, and how much it counts (0 to 1)."""
    near = seen.energy * np.exp(-0.5 * (seen.offsets / reach) ** 2)
    total = near.sum(1)
    offsets = (near * seen.offsets).sum(1) / np.maximum(total, 1e-9)
    # A line that lies elsewhere in the window is not this one.
    return offsets, total**2 / (total + 10.0) / (seen.energy.sum(1) + 1e-9)


def _improve(picture: Picture, outlines: Outlines, model: Model, numbers: Array, reach: float, free: str, rounds: int) -> Array:
    """Snap and solve, again and again until it rests."""
    for _ in range(rounds):
        seen = edges(picture, model.view(numbers), outlines, 3 * reach)
        offsets, weights = _snap(seen, reach)
        better = _solve(outlines, model, numbers, seen, offsets, weights, free)
        moved = np.abs(model.view(better).pixels(outlines.points) - seen.expected).max()
        numbers = better
        if moved < RESTS * reach:
            break
    return numbers


def _solve(outlines: Outlines, model: Model, numbers: Array, seen: Edges, offsets: Array, weights: Array, free: str) -> Array:
    """The numbers that bring the lines to those offsets: nearly linear, so two steps of Gauss and Newton do."""
    chosen = list(FREE[free])
    targets = (seen.expected * seen.normals).sum(1) + offsets
    spread = max(float(np.sqrt((weights * offsets**2).sum() / max(weights.sum(), 1e-9))), 0.2)
    trust = weights * outlines.trust / spread**2
    doubt = np.zeros(len(numbers))
    doubt[6:] = 1 / SPREADS[6:] ** 2
    for _ in range(2):
        slope = model.slopes(numbers, outlines, seen.normals, chosen)
        view = model.view(numbers)
        error = targets - (view.pixels(outlines.points) * seen.normals).sum(1)
        information = slope.T @ (slope * trust[:, None]) + np.diag(doubt[chosen])
        downhill = slope.T @ (trust * error) - doubt[chosen] * (numbers - model.usual)[chosen]
        # Where no line tells otherwise, the corners are where they were tapped.
        held = view.slopes(model.corners)[:, [i for i in chosen if i < 8]] / model.careless
        astray = (model.tapped - view.pixels(model.corners)).ravel() / model.careless
        pose = held.shape[1]
        information[:pose, :pose] += held.T @ held
        downhill[:pose] += held.T @ astray
        step = np.linalg.lstsq(information, downhill, rcond=None)[0]
        cost = _cost(outlines, model, numbers, seen, targets, trust, doubt)
        for part in (1.0, 0.5, 0.25, 0.1):
            tried = numbers.copy()
            tried[chosen] += part * step
            if _cost(outlines, model, tried, seen, targets, trust, doubt) <= cost:
                numbers = tried
                break
    return numbers


def _cost(outlines: Outlines, model: Model, numbers: Array, seen: Edges, targets: Array, trust: Array, doubt: Array) -> float:
    view = model.view(numbers)
    error = targets - (view.pixels(outlines.points) * seen.normals).sum(1)
    astray = (model.tapped - view.pixels(model.corners)) / model.careless
    return float((trust * error**2).sum() + (doubt * (numbers - model.usual) ** 2).sum() + (astray**2).sum())


def _choose_border(picture: Picture, outlines: Outlines, model: Model, numbers: Array, pixel: float, free: str) -> tuple[Array, bool]:
    """Boards have lines printed along their edges: of all lines that may be an edge, take those with which all other lines fall into
    their places best. Each side begins with its strongest line and tries the others in turn. Also: is the edge too faint to go by?"""
    seen = edges(picture, model.view(numbers), outlines, 12 * pixel)
    offsets, weights = _snap(seen, BORDER_REACH * pixel)
    profiles = [np.median(seen.energy[outlines.side == side], 0) for side in range(4)]
    candidates = [_peaks(profile, seen.offsets) for profile in profiles]
    inside = outlines.side < 0

    def tried(choice: Sequence[float]) -> tuple[float, Array, float]:
        """How well all lines are met, by which numbers, and how far the lines inside are off (mean square)."""
        shifts, firm = offsets.copy(), weights.copy()
        for side, offset in enumerate(choice):
            shifts[outlines.side == side], firm[outlines.side == side] = offset, 1.0
        fitted = _solve(outlines, model, numbers, seen, shifts, firm, free)
        fitted = _improve(picture, outlines, model, fitted, 1.5 * pixel, free, 2)
        off, near = _snap(edges(picture, model.view(fitted), outlines, 6 * pixel), 2 * pixel)
        return float(near.mean()), fitted, float((near * off**2)[inside].sum() / max(near[inside].sum(), 1e-9))

    choice = [c[0] for c in candidates]
    best, chosen, spread = tried(choice)
    for _ in range(2):
        before = best
        for side in range(4):
            for offset in candidates[side]:
                other = [*choice[:side], offset, *choice[side + 1 :]]
                if other != choice and (result := tried(other))[0] > best:
                    (best, chosen, spread), choice = result, other
        if best == before:
            break
    # A strong frame printed all along a weak edge takes every side inwards alike; then the lines inside are off, and weak lines outside.
    faint = False
    strongest = [c[0] for c in candidates]
    for outwards, lines in product(np.arange(1.0, 9.0) * pixel, (choice, strongest)):
        other = [offset - outwards for offset in lines]
        weak = [min(abs(seen.offsets[i] - o) for i in _tops(profile)) < 1.3 * pixel for profile, o in zip(profiles, other, strict=True)]
        if sum(weak) >= 2 and (result := tried(other))[2] < CLEARLY * spread:
            chosen, spread, faint = result[1], result[2] / CLEARLY, True
    return chosen, faint


def _tops(profile: Array) -> list[int]:
    """Where a profile has its peaks; its ends if it has none."""
    tops = [i for i in range(1, len(profile) - 1) if profile[i - 1] <= profile[i] > profile[i + 1]]
    return tops or [0, len(profile) - 1]


def _peaks(profile: Array, offsets: Array) -> list[float]:
    """The offsets of the strongest lines of a profile."""
    top = sorted((i for i in _tops(profile) if profile[i] > 0.15 * profile.max()), key=lambda i: -profile[i])
    return [float(offsets[i]) for i in top[:4]] or [0.0]


def edge_strength(picture: Picture) -> Array:
    """How much the picture changes at each pixel, levelled so that every clear edge counts about the same."""
    across = cv2.Sobel(picture.smooth, cv2.CV_32F, 1, 0, scale=1 / 16)
    down = cv2.Sobel(picture.smooth, cv2.CV_32F, 0, 1, scale=1 / 16)
    energy = (across**2 + down**2).reshape(*picture.smooth.shape[:2], -1).sum(-1) / picture.grain
    levelled = np.sqrt(energy / (energy + 100.0)).astype(np.float32)
    # A thin line has its edges on both sides: together they peak on the line itself.
    return np.asarray(cv2.GaussianBlur(levelled, (0, 0), max(levelled.shape) / 1280))


def _better(picture: Picture, outlines: Outlines, model: Model, simple: Array, richer: Array, pixel: float, more: int) -> bool:
    """Do the lines fit so much closer that the richer model's further numbers are worth it (Schwarz's criterion)?"""
    spreads = []
    for numbers in (simple, richer):
        offsets, weights = _snap(edges(picture, model.view(numbers), outlines, 6 * pixel), 2 * pixel)
        weights = weights * outlines.trust
        spreads.append(float((weights * offsets**2).sum() / max(weights.sum(), 1e-9)))
    independent = len(outlines.points) / 5  # neighbours on one line err alike
    return bool(independent * np.log(spreads[0] / max(spreads[1], 1e-9)) > max(more, 1) * np.log(independent))


def view_from_corners(size: tuple[int, int], board_mm: tuple[float, float], corners: Array, focal: float = 0.0) -> View:
    """A first view from where the board's corners appear."""
    width, height = board_mm
    solid = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]], float)
    view = View(size, focal or USUAL_FOCAL * size[0], (0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    found, turn, shift = cv2.solvePnP(solid, np.asarray(corners, float).reshape(-1, 1, 2), view.matrix, view.distortion, flags=cv2.SOLVEPNP_IPPE)
    if not found:
        raise ValueError("no board has these corners")
    return view.moved(turn, shift)
