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
from vision.pieces import SHADING, Cloud, Piece, lean, outline
from vision.view import Array, View
from vision.worth import worth

RADII = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0)
HEIGHTS = (1.0, 3.0, 6.0, 9.0, 12.0, 15.0, 18.0, 21.0, 25.0, 30.0, 36.0)
CLOUDS = 4
Size = tuple[float, float]  # radius and height, millimetres
CLEAR = 0.5  # share of a piece that must differ from the board for its colours to be learned there
CORE = 0.6  # share of a piece's radius within which surely nothing else is seen
OF_ITS_KIND = 0.7  # share of what a piece's best size explains that the size of its kind explains too
HARDLY = 2.0  # nats that say nothing for a height
FEWEST = 8  # pixels from which colours can be learned
DARK = 0.4  # share of a piece that must differ from any shadow, for the shadow round it to be left out


def kind_of(mark: str) -> str:
    """The kind without its colour: pieces of a kind are mostly of a size."""
    first, _, rest = mark.partition("-")
    return rest if first in INK and rest else mark


def learn_pieces(flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content]) -> dict[str, Piece]:
    """Pieces from one picture; `standing` tells what stands on each space.

    First what differs from the board tells their colours; then their colours tell how wide and high they are. What differs has
    the rim and the closest shadow in it, so both are told once more by what is well inside."""
    pieces, clear = _coloured(flat, view, reading, standing)
    pieces = _measured(flat, view, reading, standing, pieces)
    pieces = _of_one_wood(_by_their_cores(flat, view, reading, standing, pieces), clear)
    return _measured(flat, view, reading, standing, pieces)


def _by_their_cores(
    flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content], pieces: Mapping[str, Piece]
) -> dict[str, Piece]:  # fmt: skip
    """The pieces with the colours of what is well inside them; of a counter's face the rim is as much a part as the middle."""
    found = dict(pieces)
    for mark, crops in _crops(flat, view, reading, standing, pieces).items():
        piece = pieces[mark]
        pixels = np.concatenate([crop.pixels(reading, CORE * piece.radius, piece.height, piece.radius) for crop in crops])
        if len(pixels) >= FEWEST and "/" not in mark:
            found[mark] = replace(piece, clouds=_clouds(pixels))
    return found


def _crops(
    flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content], pieces: Mapping[str, Piece]
) -> dict[str, list[_Crop]]:
    """The surroundings of each piece that stands alone: how much better its colours explain them than the empty board does,
    weighed just as when it is looked for."""
    gains = worth(pieces, reading, flat).gains
    crops: dict[str, list[_Crop]] = defaultdict(list)
    for space, content in standing.items():
        if len(content) == 1:
            corners = space_outline(flat, space, reading.degrees)
            crops[content[0]].append(_Crop(gains[content[0]], flat.mask(corners), lean(view, corners.mean(0)), flat.pitch))
    return crops


def _measured(
    flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content], pieces: Mapping[str, Piece]
) -> dict[str, Piece]:  # fmt: skip
    """With the sizes that best explain the picture by the pieces' colours: the shadow round a piece is the board's own, and where the
    board has a piece's colour, its bare look says nothing against the piece."""
    sizes = {mark: _size_scores(found) for mark, found in _crops(flat, view, reading, standing, pieces).items()}
    pooled: dict[str, Array] = {}
    for mark, scores in sizes.items():
        pooled[kind_of(mark)] = pooled.get(kind_of(mark), 0) + scores
    best = {mark: _size_of(scores, pooled[kind_of(mark)]) for mark, scores in sizes.items()}
    return {m: replace(p, radius=best[m][0], height=best[m][1]) if m in best else p for m, p in pieces.items()}


def _lowest(scores: Array) -> tuple[int, int]:
    """The best size; from straight above heights are hardly told apart: nothing is higher than must be."""
    h = int(np.argmax(scores.max(0) > scores.max() - HARDLY))
    return int(np.argmax(scores[:, h])), h


def _size_of(own: Array, of_its_kind: Array) -> Size:
    """The size of its kind, unless a piece itself plainly speaks against it: a button for a lost marker."""
    r, h = _lowest(of_its_kind)
    if own[r, h] < OF_ITS_KIND * own.max():
        r, h = _lowest(own)
    return RADII[r], HEIGHTS[h]


def _coloured(flat: Flat, view: View, reading: Reading, standing: Mapping[str, Content]) -> tuple[dict[str, Piece], dict[str, float]]:
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
        radius, height = _size_of(sizes[mark], pooled[kind_of(mark)])
        within = max(radius - flat.pitch, radius * 0.7)  # without its rim, where the board shines through
        own = np.concatenate([crop.pixels(reading, within, height, radius) for crop in found])
        pieces[mark] = Piece(mark, radius, height, _clouds(own))
        clear[mark] = float(np.mean([crop.share(radius, height) for crop in found]))
    return _of_one_wood(pieces, clear), clear


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

    def pixels(self, reading: Reading, radius: float, height: float, standing: float) -> Array:
        """Features within a radius of the middle of a piece that is as wide as `standing`; without what is the bare board, if most of
        it is not."""
        _, (row, column) = self.best(standing, height)
        shape = outline(radius, height, self.leaning, self.pitch)
        reach = shape.shape[0] // 2
        rows, columns = np.nonzero(shape > 0.9)
        rows, columns = rows + self.top + row - reach, columns + self.left + column - reach
        good = (rows >= 0) & (columns >= 0) & (rows < reading.unknown.shape[0]) & (columns < reading.unknown.shape[1])
        rows, columns = rows[good], columns[good]
        odd = reading.empty[rows, columns] < ANYTHING
        if odd.mean() > CLEAR:
            rows, columns = rows[odd], columns[odd]
        return np.asarray(reading.features[rows, columns] - reading.light[rows, columns])


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
