"""What each piece looks like, learned at this table from a picture in which everybody knows what stands where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.looks import INK
from vision.background import ANYTHING, Reading
from vision.flat import Flat, space_outline
from vision.marks import Content
from vision.pieces import NEITHER, SHADING, Cloud, Piece, lean, outline, telling
from vision.view import Array, View

RADII = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
HEIGHTS = (1.0, 3.0, 6.0, 10.0, 15.0, 20.0, 25.0, 30.0, 36.0)
CLOUDS = 4
Size = tuple[float, float]  # radius and height, millimetres
MOST_FOR, MOST_AGAINST = 6.0, 3.0  # nats that one pixel may say for and against a piece
CLEAR = 0.5  # share of a piece that must differ from the board for its colours to be learned there
DARK = 0.4  # share of a piece that must differ from any shadow, for the shadow round it to be left out


def kind_of(mark: str) -> str:
    """The kind without its colour: pieces of a kind are mostly of a size."""
    first, _, rest = mark.partition("-")
    return rest if first in INK and rest else mark


def learn_pieces(flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content]) -> dict[str, Piece]:
    """Pieces from one picture; `standing` tells what stands on each space.

    First what differs from the board tells their colours; then their colours tell how wide and high they are."""
    pieces = _coloured(flat, view, reading, standing)
    sizes = _measured(flat, view, reading, standing, pieces)
    return {mark: replace(piece, radius=sizes[mark][0], height=sizes[mark][1]) if mark in sizes else piece for mark, piece in pieces.items()}


def _measured(
    flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content], pieces: Mapping[str, Piece]
) -> dict[str, Size]:  # fmt: skip
    """The sizes that best explain the picture by the pieces' colours: the shadow round a piece is the board's own, and where the board
    has a piece's colour, its bare look says nothing against the piece."""
    spread = np.median(reading.spread[::4, ::4][flat.on_board[::4, ::4]], 0) + reading.grain
    own = reading.features - reading.light
    crops: dict[str, list[_Crop]] = defaultdict(list)
    for space, content in standing.items():
        corners = space_outline(flat, space, reading.degrees)
        inside, leaning = flat.mask(corners), lean(view, corners.mean(0))
        if len(content) == 1:
            crops[content[0]].append(_Crop(np.zeros(flat.shape, np.float32), inside, leaning, flat.pitch))
    sizes: dict[str, Array] = {}
    for mark, found in crops.items():
        bare = telling(pieces[mark], reading)
        for crop in found:
            there = crop.window
            worth = pieces[mark].likelihood(own[there], spread[there]) - np.maximum(reading.empty[there], NEITHER)
            worth = np.where(worth < 0, np.maximum(worth, -MOST_AGAINST) * bare[there], np.minimum(worth, MOST_FOR))
            crop.strange = np.where(reading.unknown[there], 0, worth).astype(np.float32)
        sizes[mark] = _size_scores(found)
    pooled: dict[str, Array] = {}
    for mark, scores in sizes.items():
        pooled[kind_of(mark)] = pooled.get(kind_of(mark), 0) + scores
    return {mark: _largest(scores + pooled[kind_of(mark)]) for mark, scores in sizes.items()}


def _largest(scores: Array) -> Size:
    r, h = np.unravel_index(int(np.argmax(scores)), scores.shape)
    return RADII[r], HEIGHTS[h]


def _coloured(flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content]) -> dict[str, Piece]:
    """Pieces by what differs from the empty board."""
    firm, loose = (np.clip(ANYTHING - likelihood, -3.0, 6.0) for likelihood in (reading.empty, reading.plain))
    crops: dict[str, list[_Crop]] = defaultdict(list)
    dark: dict[str, list[_Crop]] = defaultdict(list)
    for space, content in standing.items():
        corners = space_outline(flat, space, reading.degrees)
        inside = flat.mask(corners)
        leaning = lean(view, corners.mean(0))
        for mark in content:
            for into, strange in ((crops, firm), (dark, loose)):
                into[mark].append(_Crop(np.where(reading.unknown, 0, strange), inside, leaning, flat.pitch))
    sizes = {mark: _size_scores(found) for mark, found in crops.items()}
    for mark, found in dark.items():
        # A shadow round a piece is not the piece. But a black one on a dark ground can be told from a shadow by nothing else.
        scores = _size_scores(found)
        if sizes[mark].max() < DARK * scores.max():
            sizes[mark], crops[mark] = scores, found
    pooled: dict[str, Array] = {}
    for mark, scores in sizes.items():
        kind = kind_of(mark)
        pooled[kind] = pooled.get(kind, 0) + scores
    pieces, clear = {}, {}
    for mark, found in crops.items():
        radius, height = _largest(sizes[mark] + pooled[kind_of(mark)])
        own = np.concatenate([crop.pixels(reading.features - reading.light, radius, height) for crop in found])
        pieces[mark] = Piece(mark, radius, height, _clouds(own))
        clear[mark] = float(np.mean([crop.share(radius, height) for crop in found]))
    return _of_one_wood(pieces, clear)


def of_one_colour(one: str, other: str) -> bool:
    """By name: a red prince and a red marker."""
    return kind_of(one) != one and kind_of(other) != other and one.partition("-")[0] == other.partition("-")[0]


def _of_one_wood(pieces: Mapping[str, Piece], clear: Mapping[str, float]) -> dict[str, Piece]:
    """Men of one colour were painted from one pot: what differs between their looks is where they happened to stand.

    Of two that differ, one that was taught on a ground of its own colour follows the other, which was seen clearly."""
    pooled = {}
    for mark, piece in pieces.items():
        alike = [p for m, p in pieces.items() if of_one_colour(mark, m) and piece.is_like(p)]
        if clear[mark] < CLEAR:
            alike = [p for m, p in pieces.items() if of_one_colour(mark, m) and clear[m] >= CLEAR] or alike
        clouds = tuple(replace(c, share=c.share / len(alike)) for p in alike for c in p.clouds) if alike else piece.clouds
        pooled[mark] = replace(piece, clouds=clouds)
    return pooled


class _Crop:
    """The surroundings of one space."""

    def __init__(self, strange: Array, inside: Array, leaning: Array, pitch: float) -> None:
        rows, columns = np.nonzero(inside)
        reach = int(np.ceil((RADII[-1] + HEIGHTS[-1] * float(np.abs(leaning).max())) / pitch)) + 2
        self.top, self.left = max(rows.min() - reach, 0), max(columns.min() - reach, 0)
        self.window = (slice(self.top, rows.max() + reach + 1), slice(self.left, columns.max() + reach + 1))
        self.strange, self.inside = np.ascontiguousarray(strange[self.window]), inside[self.window]
        self.leaning, self.pitch = leaning, pitch

    def best(self, radius: float, height: float) -> tuple[float, tuple[int, int]]:
        shape = outline(radius, height, self.leaning, self.pitch)
        sums = cv2.filter2D(self.strange, cv2.CV_32F, shape, borderType=cv2.BORDER_CONSTANT)
        sums = np.where(self.inside, sums, -np.inf)
        row, column = np.unravel_index(int(np.argmax(sums)), sums.shape)
        return float(sums[row, column]), (int(row), int(column))

    def share(self, radius: float, height: float) -> float:
        """How much of the piece differs from the board under it."""
        _, (row, column) = self.best(radius, height)
        shape = outline(radius, height, self.leaning, self.pitch)
        odd = cv2.filter2D((self.strange > 0).astype(np.float32), cv2.CV_32F, shape, borderType=cv2.BORDER_CONSTANT)
        return float(odd[row, column]) / float(shape.sum())

    def pixels(self, own: Array, radius: float, height: float) -> Array:
        """Features under the piece, without its rim, where the board shines through."""
        _, (row, column) = self.best(radius, height)
        shape = outline(max(radius - self.pitch, radius * 0.7), height, self.leaning, self.pitch)
        reach = shape.shape[0] // 2
        rows, columns = np.nonzero(shape > 0.9)
        rows, columns = rows + self.top + row - reach, columns + self.left + column - reach
        good = (rows >= 0) & (columns >= 0) & (rows < own.shape[0]) & (columns < own.shape[1])
        return np.asarray(own[rows[good], columns[good]])


def _size_scores(crops: Sequence[_Crop]) -> Array:
    return np.array([[sum(crop.best(r, h)[0] for crop in crops) for h in HEIGHTS] for r in RADII])


def _clouds(own: Array) -> tuple[Cloud, ...]:
    data = np.ascontiguousarray(own, np.float32)
    count = min(CLOUDS, max(1, len(data) // 8))
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    _, labels, _ = cv2.kmeans(data, count, np.zeros((len(data), 1), np.int32), criteria, 3, cv2.KMEANS_PP_CENTERS)
    clouds = []
    for number in range(count):
        own_part = data[labels.ravel() == number]
        if len(own_part):
            variance = own_part.var(0) + SHADING
            clouds.append(Cloud(len(own_part) / len(data), _triple(own_part.mean(0)), _triple(variance)))
    return tuple(clouds)


def _triple(values: Array) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
