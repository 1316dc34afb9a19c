"""Tags round the board (ArUco, 4X4_50): seen, learned, and the board's view from them.

They may lie anywhere. Once the board's view is known, where each lies is learned in board millimetres, as seen on the plane of
the board's face; that they lie a little lower hardly matters, since the board itself has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.view import View

Array = NDArray[Any]
Corners = dict[int, Array]  # of each tag: top left, top right, bottom right, bottom left of the tag itself

HALF_FROM = 960  # frames wider than this are searched at half size first
APART = 3.0  # pixels (at 1280) within which a tag's corners agree with a pose
IN_PLACE = 0.7  # correlation of a tag's cells with its bits, from which it counts as seen
CELLS = 6  # a tag is so many cells wide, border included


def seen_tags(frame: Array) -> Corners:
    """All tags of a frame with their corners in pixels: sought in the frame at half size, refined in small regions of the whole."""
    if max(frame.shape[:2]) > HALF_FROM:
        half = cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        found = {tag: (corners + 0.5) * 2 - 0.5 for tag, corners in _detect(_grey(half)).items()}
        if found:
            return {tag: _refined(frame, corners) for tag, corners in found.items()}
    # Small tags are lost at half size.
    return {tag: _refined(frame, corners) for tag, corners in _detect(_grey(frame)).items()}


def learned(seen: Mapping[int, Array], view: View) -> Corners:
    """Where the tags lie, in millimetres of the board's plane."""
    flat = view.flat()
    return {tag: flat.millimetres(corners) for tag, corners in seen.items()}


def view_from_tags(seen: Mapping[int, Array], known: Mapping[int, Array], camera: View) -> View | None:
    """Where the board is, by the tags that agree with each other; None when none of the known is seen."""
    both = [tag for tag in seen if tag in known]
    if not both:
        return None
    flat = camera.flat()
    tolerance = APART * max(camera.size) / 1280
    best: list[int] = []
    groups = [[tag] for tag in both] if len(both) < 3 else [[a, b] for i, a in enumerate(both) for b in both[i + 1 :]]
    for group in groups:
        view = _solved(group, seen, known, flat)
        if view is None:
            continue
        agreeing = [t for t in both if _error(seen[t], known[t], view) < tolerance] or group
        if len(agreeing) > len(best):
            best = agreeing
        if len(best) == len(both):
            break
    found = _solved(best, seen, known, flat)
    return camera.moved(np.array(found.turn), np.array(found.shift)) if found else None


def _solved(tags: list[int], seen: Mapping[int, Array], known: Mapping[int, Array], flat: View) -> View | None:
    if not tags:
        return None
    return flat.from_points(np.concatenate([known[t] for t in tags]), np.concatenate([seen[t] for t in tags]))


def _error(seen: Array, known: Array, view: View) -> float:
    return float(np.linalg.norm(view.pixels(known) - seen, axis=1).max())


class Places(NamedTuple):
    """Where the cells of known tags appear in the frames of one view."""

    ids: tuple[int, ...]
    grid: Array
    bits: Array  # what the cells show, of each tag centred and of length one

    @classmethod
    def of(cls, known: Mapping[int, Array], view: View) -> Places:
        flat = view.flat()
        width, height = view.size
        shown = {tag: flat.pixels(corners).astype(np.float32) for tag, corners in known.items()}
        shown = {t: c for t, c in shown.items() if (c > 1).all() and (c < np.array([width, height]) - 2).all()}
        cells = (np.arange(CELLS, dtype=np.float32) + 0.5) / CELLS
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        middles = np.stack(np.meshgrid(cells, cells), -1).reshape(-1, 1, 2)
        grids = [cv2.perspectiveTransform(middles, cv2.getPerspectiveTransform(square, c)).reshape(-1, 2) for c in shown.values()]
        bits = np.array([_centred(_bits(tag)) for tag in shown]).reshape(-1, CELLS * CELLS)
        return cls(tuple(shown), np.array(grids, np.float32).reshape(-1, CELLS * CELLS, 2), bits)

    def in_place(self, frame: Array) -> tuple[int, ...]:
        """The tags that still lie there; hidden, gone and shifted ones are left out. Looks at nothing but their cells."""
        if not self.ids:
            return ()
        samples = cv2.remap(frame, self.grid, np.empty(0), cv2.INTER_LINEAR)
        values = samples.reshape(len(self.ids), CELLS * CELLS, -1).sum(-1, dtype=np.float32)
        alike = (_centred(values) * self.bits).sum(1)
        return tuple(tag for tag, likeness in zip(self.ids, alike.tolist(), strict=True) if likeness > IN_PLACE)


def _centred(values: Array) -> Array:
    values = values - values.mean(-1, keepdims=True)
    return np.asarray(values / np.maximum(np.linalg.norm(values, axis=-1, keepdims=True), 1e-6))


def _grey(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)) if picture.ndim == 3 else picture


def _refined(frame: Array, corners: Array) -> Array:
    """The corners to a fraction of a pixel, in the frame at full size."""
    side = float(np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).min())
    reach = int(np.clip(side / 8, 2, 12))
    height, width = frame.shape[:2]
    left, top = np.maximum(np.floor(corners.min(0)).astype(int) - 2 * reach - 3, 0)
    right, bottom = np.minimum(np.ceil(corners.max(0)).astype(int) + 2 * reach + 4, [width, height])
    region = _grey(frame[top:bottom, left:right])
    start = (corners - [left, top]).astype(np.float32).reshape(-1, 1, 2)
    ends = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    refined = cv2.cornerSubPix(region, start.copy(), (reach, reach), (-1, -1), ends).reshape(-1, 2)
    coarse = start.reshape(-1, 2)
    # A shadow or a crumb pulls a single corner astray: a tag is nearly a parallelogram, so the other three tell where it is.
    wander = np.linalg.norm(refined - coarse, axis=1)
    if np.linalg.norm(refined[0] - refined[1] + refined[2] - refined[3]) > max(1.0, side / 40):
        worst = int(wander.argmax())
        refined[worst] = refined[worst - 1] + refined[(worst + 1) % 4] - refined[worst - 2]
    if np.linalg.norm(refined - coarse, axis=1).max() > reach + 1:
        refined = coarse
    return np.asarray(refined + [left, top], np.float64)


def _detect(grey: Array) -> Corners:
    found, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return {}
    seen: Corners = {}
    twice = set()
    for tag, corners in zip(ids.ravel().tolist(), found, strict=True):
        twice |= {tag} & seen.keys()
        seen[int(tag)] = corners.reshape(4, 2).astype(np.float64)
    return {tag: corners for tag, corners in seen.items() if tag not in twice}  # a tag seen twice tells nothing


@cache
def _dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    # One threshold window instead of three: a lamp's light changes slowly over a tag.
    settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 23
    settings.minMarkerPerimeterRate = 0.05
    settings.maxMarkerPerimeterRate = 1.0
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    return cv2.aruco.ArucoDetector(_dictionary(), settings)


@cache
def _bits(tag: int) -> Array:
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), tag, CELLS), np.float32).ravel() / 255
