"""What stands where: the flat picture explained by pieces on an empty board.

Every pixel is worth a number of nats for each piece: how much better the piece explains it than the empty board. A piece
on a space is worth the sum under its outline at its best place inside the space. The best pieces are placed first and claim their
pixels, so that a tall neighbour who leans over a line is not seen twice. What remains unexplained is strange: large, it is
a hand or a mug and hides what lies under it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.background import ANYTHING, ONE_LOOK, Reading
from vision.flat import Flat
from vision.marks import EMPTY, STRANGE, Belief, Content
from vision.memory import Memory, brush
from vision.pieces import Piece, outline
from vision.view import Array
from vision.worth import SEEN_THROUGH, worth

HIDING = 1.5  # nats against a piece that cannot be seen because another stands on it
ROOM = 1.0  # millimetres by which a piece may be wider than what stands on it and still not show
UNLIKELY = 0.5  # how far strange pixels speak for a strange thing rather than for a known piece in a strange light
AS_EXPECTED = 1.5  # nats: what the picture hardly tells apart is as the table knows it; less than wants an explanation
STRANGER = 6.0  # nats against something unknown
ONE_MORE = 8.0  # nats against each piece beyond the first on a space, unless it is expected there
ONE_MORE_HERE = 4.0  # and where it may be expected: what an outline leaves over is more often a shadow than a second piece
RIM = 2.5  # millimetres round a piece that its edge and its closest shadow explain
VISIBLE = 0.45  # share of a piece that must be seen for it to count as seen
SHADED = 0.9  # share of a space
SLIVER = 0.15  # and of one that may stand there: counters overlap like shingles
FAINT = 1.0  # nats: less than this, over a whole space, is not worth a search for the best place
MANY = 4.0  # pieces that may stand so close together that they look like one thing; larger things are hands and mugs
MOST_ODDS = 25.0  # nats: no picture is surer than that


FACES = 0.35  # and so much between the faces of one piece
ONE_WITNESS = 12.0  # nats at most
# Variance by which the mean of a whole face strays from what was taught: brightness (a gleam, a shadow), tints.
FACE_STRAYS = np.array([0.25, 0.08, 0.10]) ** 2
UNTAUGHT = 1.5  # nats at most against a face that was never shown, beside the one that is known
ALIKE = 0.25  # how much of the evidence counts between pieces of one colour: sizes are learned less surely than colours


NUMBERS = 0.5  # and between one and two of them: a second one shows, if it is not under the first


SAME = 12.0  # nats for what stood there before, where nothing has changed
CHANGED = 4.0  # nats at most against it where something has
ACROSS = 2.5  # millimetres from a line within which a piece may belong to either space
ALMOST = 4.0  # nats by which the other space may be worse


class Placed(NamedTuple):
    """One piece that explains the picture."""

    space: str
    mark: str
    worth: float  # nats
    row: int
    column: int


class Place:
    """One space of the flat picture, with room for what may lean out of it."""

    def __init__(self, name: str, inside: Array, leaning: Array, reach: int) -> None:
        self.name, self.leaning = name, leaning
        rows, columns = np.nonzero(inside)
        self.top, self.left = max(int(rows.min()) - reach, 0), max(int(columns.min()) - reach, 0)
        self.window = (slice(self.top, int(rows.max()) + reach + 1), slice(self.left, int(columns.max()) + reach + 1))
        self.inside = inside[self.window]
        self.area = int(inside.sum())
        self.rows, self.columns = np.nonzero(self.inside)

    def sums(self, values: Array, shape: Array) -> Array:
        """For each pixel inside, the sum of the values under a shape with its foot there."""
        reach = shape.shape[0] // 2
        low, high = (int(self.rows.min()), int(self.columns.min())), (int(self.rows.max()), int(self.columns.max()))
        padded = np.zeros((high[0] - low[0] + 1 + 2 * reach, high[1] - low[1] + 1 + 2 * reach), np.float32)
        top, left = max(reach - low[0], 0), max(reach - low[1], 0)
        part = values[max(low[0] - reach, 0) : high[0] + reach + 1, max(low[1] - reach, 0) : high[1] + reach + 1]
        padded[top : top + part.shape[0], left : left + part.shape[1]] = part
        under = sliding_window_view(padded, shape.shape)[self.rows - low[0], self.columns - low[1]]
        return np.asarray(under.reshape(len(self.rows), -1) @ shape.reshape(-1))


class Known(Protocol):
    """What the eye knows."""

    flat: Flat
    pieces: dict[str, Piece]
    families: list[list[str]]
    memory: Memory | None


def _draw_together(worth: dict[Content, float], share: float, key: Callable[[Content], object]) -> None:
    """Among contents with one key, only a share of what speaks between them counts."""
    groups: dict[object, list[Content]] = {}
    for content in worth:
        groups.setdefault(key(content), []).append(content)
    for alike in groups.values():
        best = max(worth[content] for content in alike)
        for content in alike:
            worth[content] = best - share * (best - worth[content])


class Look:
    """One picture being explained."""

    def __init__(self, eye: Known, reading: Reading, places: dict[str, Place]) -> None:
        self.eye, self.reading, self.places = eye, reading, places
        self.pitch = eye.flat.pitch
        self.per_pixel = self.pitch**2 / ONE_LOOK
        self.strange = (ANYTHING - reading.empty) * np.float32(self.per_pixel)
        self.strange[reading.unknown] = 0
        # Threads of a pixel or two are edges that lie a little off; nothing that stands on a board is so thin.
        solid = cv2.morphologyEx((self.strange > 0).astype(np.uint8), cv2.MORPH_OPEN, brush(self.pitch))
        self.strange[(self.strange > 0) & (solid == 0)] = 0
        weighed = worth(eye.pieces, reading, eye.flat)
        self.gains, self.telling, self.doubtful = weighed
        self._undisturbed: dict[tuple[str, str], tuple[float, int, int]] = {}  # the best place where nobody else stands
        self.claims = np.zeros(eye.flat.shape, np.int16)  # number of the piece that explains a pixel; 0: none
        self.placed: list[Placed] = []
        self.worth: dict[str, dict[Content, float]] = {}  # of each content, by this picture alone
        self.cover = np.zeros(eye.flat.shape, bool)
        self.changed = eye.memory.changed(eye.flat, reading) if eye.memory else None
        self.across: list[tuple[str, str, str, float]] = []  # space, other space, mark, how much worse the other is
        self.smallest = min((np.pi * p.radius**2 for p in eye.pieces.values()), default=80.0)

    # --- one piece on one space ---

    def shape(self, place: Place, mark: str) -> Array:
        piece = self.eye.pieces[mark]
        return outline(piece.radius, piece.height, place.leaning, self.pitch)

    def best(self, place: Place, mark: str, free: Array, visible: float = VISIBLE) -> tuple[float, int, int]:
        """Worth and place (in the whole picture) of a piece on a space; `free`: the pixels that nobody else explains."""
        if not free.all():
            return self._best(place, mark, free, visible)
        key = place.name, mark
        if key not in self._undisturbed:
            self._undisturbed[key] = self._best(place, mark, None)
        return self._undisturbed[key]

    def _best(self, place: Place, mark: str, free: Array | None, visible: float = VISIBLE) -> tuple[float, int, int]:
        gain, shape = self.gains[mark][place.window], self.shape(place, mark)
        gain = gain if free is None else gain * free
        if float(np.maximum(gain, 0).sum()) < FAINT:  # wherever it stood, hardly anything would speak for it
            plain = self.telling[mark][place.window] if free is None else self.telling[mark][place.window] * free
            told = float(plain[place.inside].mean()) * float(shape.sum())
            return -SEEN_THROUGH * self.per_pixel * told, place.top, place.left
        sums = place.sums(gain, shape)
        if free is not None:  # what others explain is no reason for one more piece
            sums[place.sums(free, shape) < visible * float(shape.sum())] = -1e9
        at = int(np.argmax(sums))
        return float(sums[at]), int(place.rows[at]) + place.top, int(place.columns[at]) + place.left

    def _may_be(self, place: Place, mark: str) -> bool:
        """Does any pixel here speak for this piece?"""
        return bool((self.gains[mark][place.window] > 0).any())

    def _on_bare(self, place: Place, mark: str) -> tuple[float, int, int]:
        """About the same where only the board is seen."""
        if self.telling[mark][place.window][place.inside].min() < 0.5:
            return self.best(place, mark, np.ones(place.inside.shape, np.float32))
        plain = float(self.telling[mark][place.window][place.inside].mean()) * float(self.shape(place, mark).sum())
        return -SEEN_THROUGH * self.per_pixel * plain, place.top, place.left

    def _stamp(self, target: Array, place: Place, mark: str, row: int, column: int, value: int | bool) -> None:
        """Write a value under a piece's outline and rim."""
        piece = self.eye.pieces[mark]
        shape = outline(piece.radius + RIM, piece.height, place.leaning, self.pitch)
        reach = shape.shape[0] // 2
        rows, columns = np.nonzero(shape > 0.3)
        rows, columns = rows + row - reach, columns + column - reach
        good = (rows >= 0) & (columns >= 0) & (rows < target.shape[0]) & (columns < target.shape[1])
        target[rows[good], columns[good]] = value

    # --- all pieces ---

    def place_all(self) -> None:
        """Place the piece that is worth most, again and again, until nothing is worth placing."""
        best = {name: self._best_of(name) for name in self.places}
        while best:
            name = max(best, key=lambda n: best[n].worth)
            top = best[name]
            if top.worth < STRANGER / 2 or len(self.placed) > 400:
                break
            before = self.claims > 0
            self.placed.append(top)
            self._stamp(self.claims, self.places[name], top.mark, top.row, top.column, len(self.placed))
            new = (self.claims > 0) & ~before
            rows, columns = np.nonzero(new)
            if not len(rows):
                best[name] = best[name]._replace(worth=0.0)
                continue
            low, high = (rows.min(), columns.min()), (rows.max(), columns.max())
            for other, place in self.places.items():
                down, right = place.window
                if down.start <= high[0] and down.stop > low[0] and right.start <= high[1] and right.stop > low[1]:
                    best[other] = self._best_of(other)

    def _best_of(self, name: str) -> Placed:
        place = self.places[name]
        free = ((self.claims[place.window] == 0) & ~self.cover[place.window]).astype(np.float32)
        if not (self.doubtful[place.window] & (free > 0) & place.inside).any():
            return Placed(name, "", 0.0, 0, 0)
        options = [Placed(name, mark, *self.best(place, mark, free)) for mark in self.eye.pieces if self._may_be(place, mark)]
        if not options:
            return Placed(name, "", 0.0, 0, 0)
        worth: dict[Content, float] = {(option.mark,): option.worth for option in options}
        self._between_alike(worth)
        return max(options, key=lambda p: worth[p.mark,])

    def find_covers(self) -> None:
        """Large things that are no pieces: a hand, a mug. What they hide, nobody can tell."""
        flat = self.eye.flat
        odd = ((self.strange > 0) & flat.on_board).astype(np.uint8)
        strange = cv2.morphologyEx(odd, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=4)
        largest = max((np.pi * p.radius**2 + 2 * p.radius * p.height * 0.5 for p in self.eye.pieces.values()), default=300.0)
        cover = np.zeros(flat.shape, np.uint8)
        for number in range(1, count):
            area = stats[number, cv2.CC_STAT_AREA] * self.pitch**2
            if area > MANY * largest:
                cover[labels == number] = 1
        wide = 2 * round(RIM / self.pitch) + 1
        self.cover = cv2.dilate(cover, np.ones((wide, wide), np.uint8)).astype(bool)
        for gain in (*self.gains.values(), self.strange):
            gain[self.cover] = 0

    # --- what is believed of a space ---

    def belief(self, name: str, wanted: Sequence[Content]) -> Belief:
        place = self.places[name]
        covered = self.cover[place.window][place.inside]
        # What a cover touches, and where nothing looks like the bare board, lies under it or in its shadow.
        if covered.mean() > 0.1 or (covered.any() and self.doubtful[place.window][place.inside].mean() > SHADED):
            return Belief({EMPTY: 0.0}, "covered")
        unreadable = self.reading.unknown[place.window][place.inside].mean()
        if unreadable > 0.5:
            return Belief({EMPTY: 0.0}, "unreadable")
        mine = [number for number, p in enumerate(self.placed, 1) if p.space == name]
        claimed = self.claims[place.window]
        free = (((claimed == 0) | np.isin(claimed, mine)) & ~self.cover[place.window]).astype(np.float32)
        worth: dict[Content, float] = {EMPTY: 0.0}
        singles: dict[str, tuple[float, int, int]] = {}
        named = {mark for content in wanted for mark in content}
        is_bare = not self.doubtful[place.window].any() and not self.cover[place.window].any()
        for mark in self.eye.pieces:
            is_out = is_bare or (mark not in named and not self._may_be(place, mark))
            singles[mark] = self._on_bare(place, mark) if is_out else self.best(place, mark, free)
            worth[(mark,)] = singles[mark][0]
        seen = tuple(sorted(self.placed[number - 1].mark for number in mine))
        memory = self.eye.memory
        before = memory.standing.get(name, EMPTY) if memory else EMPTY
        self._between_alike(worth)
        several: list[Content] = []
        for content in {*wanted, seen, before}:
            if len(content) > 1 and all(mark in self.eye.pieces for mark in content):
                several.append(content)
                worth[content] = self._together(place, content, free, singles)
                if content not in wanted and content != before:
                    worth[content] -= ONE_MORE * (len(content) - 1)
        strange = np.maximum(self.strange[place.window], 0) * place.inside * (claimed == 0)
        self._soften(worth)
        for content in several:
            if content != before:
                worth[content] -= ONE_MORE_HERE * (len(content) - 1)
            if (above := self._on_top(content)) in worth:  # nothing can speak for what does not show, or against it
                worth[content] = max(worth[content], worth[above] - HIDING * NUMBERS * (len(content) - len(above)))
        self._tell_faces(worth, singles)
        self._doubt_new_faces(worth)
        worth[STRANGE] = UNLIKELY * float(strange.sum()) - STRANGER
        self.worth[name] = dict(worth)
        if memory:  # one man is told from another of his colour by his own earlier look
            alike = self._kinds(before)
            for content in worth:
                if content != before and self._kinds(content) == alike:
                    worth[content] -= memory.mistaken(name, content)
        if self.changed is not None and before in worth:
            inside = self.changed[place.window] & place.inside
            area = float(inside.sum()) * self.pitch**2
            if area < 0.15 * self.smallest:
                for content in worth:
                    if content != before:
                        worth[content] -= SAME * self._would_show(place, before, content)
            else:
                for content in worth:
                    if content == before or (before and Counter(before) <= Counter(content)):  # nor does what may hide under it explain that
                        worth[content] -= min(CHANGED, 0.5 * area / ONE_LOOK)
        self._split(name, worth)
        top = max(worth.values())
        expected = next(iter(wanted), None)
        if expected in worth and worth[expected] > top - AS_EXPECTED:
            worth[expected] = top = top + 0.01
        return Belief({content: min(top - value, MOST_ODDS) for content, value in worth.items()})

    def _would_show(self, place: Place, before: Content, after: Content) -> float:
        """How plainly a change from one content to another would be seen here, 0 to 1."""
        gone, come = set(before) - set(after), set(after) - set(before)
        if after == STRANGE:
            return 1.0
        if not gone | come or any({*gone, *come} <= set(family) and gone and come for family in self.eye.families):
            return ALIKE
        stays = max((self.eye.pieces[mark].radius for mark in set(before) & set(after)), default=0.0)
        if all(self.eye.pieces[mark].radius <= stays + ROOM for mark in gone | come):  # it may lie under what stays
            return 0.0
        shown = [self.telling[mark][place.window][place.inside].mean() for mark in gone | come]
        return max(ALIKE, float(max(shown)))

    def find_straddlers(self) -> None:
        """Pieces that stand across a line: which space they belong to is for people to say."""
        for number, piece in enumerate(self.placed, 1):
            foot = np.array([piece.row, piece.column])
            for other, place in self.places.items():
                if other == piece.space:
                    continue
                rows, columns = place.window
                local = foot - (place.top, place.left)
                if not (rows.start <= foot[0] < rows.stop and columns.start <= foot[1] < columns.stop):
                    continue
                near = int(np.ceil(ACROSS / self.pitch))
                around = place.inside[
                    max(local[0] - near, 0) : local[0] + near + 1, max(local[1] - near, 0) : local[1] + near + 1
                ]
                if not around.any():
                    continue
                claimed = self.claims[place.window]
                free = ((claimed == 0) | (claimed == number)).astype(np.float32)
                gap = piece.worth - self.best(place, piece.mark, free)[0]
                if gap < ALMOST:
                    self.across.append((piece.space, other, piece.mark, max(gap, 0.0)))

    def _split(self, name: str, worth: dict[Content, float]) -> None:
        """Of a piece that stands across a line, either space may be right."""
        for here, there, mark, gap in self.across:
            top = max(worth.values())
            for content in list(worth):
                may_be = (name == here and mark not in content and content != STRANGE) or (name == there and mark in content)
                if may_be and (len(content) <= 1 or name == there):
                    worth[content] = max(worth[content], top - gap - 1.0)

    def _soften(self, worth: dict[Content, float]) -> None:
        """Contents of the same colours differ by sizes and numbers alone, which are known less surely."""
        _draw_together(worth, NUMBERS, lambda content: frozenset(self._family(mark) for mark in content))
        _draw_together(worth, ALIKE / NUMBERS, self._kinds)
        # Two faces of a counter differ by how much of each colour they show: a weaker witness than the colours themselves.
        _draw_together(worth, FACES, lambda content: tuple(sorted(mark.partition("/")[0] for mark in content)))

    def _tell_faces(self, worth: dict[Content, float], singles: Mapping[str, tuple[float, int, int]]) -> None:
        """Which face of a counter is up: all that its face shows, taken together, against what each face showed when it was taught.

        Pixel by pixel both faces are made of the same colours; how much there is of each shows in the mean."""
        by_piece: dict[str, list[str]] = {}
        for mark in singles:
            if "/" in mark and self.eye.pieces[mark].taught:
                by_piece.setdefault(mark.partition("/")[0], []).append(mark)
        top = max(worth.values())
        for faces in by_piece.values():
            if len(faces) < 2 or max(worth[mark,] for mark in faces) < top - MOST_ODDS:
                continue
            _, row, column = singles[max(faces, key=lambda mark: worth[mark,])]
            seen = self._mean(self.eye.pieces[faces[0]], row, column)
            if seen is None:
                continue
            against = {mark: float(((seen - self.eye.pieces[mark].mean) ** 2 / (2 * FACE_STRAYS)).sum()) for mark in faces}
            best, least = max(worth[mark,] for mark in faces), min(against.values())
            for mark in faces:  # two witnesses: where they disagree, little remains
                worth[mark,] = best - min(best - worth[mark,], ONE_WITNESS) - min(against[mark] - least, ONE_WITNESS)

    def _mean(self, piece: Piece, row: int, column: int) -> Array | None:
        """The mean colour of what lies there, without its rim."""
        shape = outline(max(piece.radius - self.pitch, piece.radius * 0.7), 0.0, np.zeros(2), self.pitch)
        reach = shape.shape[0] // 2
        rows, columns = np.nonzero(shape > 0.9)
        rows, columns = rows + row - reach, columns + column - reach
        good = (rows >= 0) & (columns >= 0) & (rows < self.cover.shape[0]) & (columns < self.cover.shape[1])
        rows, columns = rows[good], columns[good]
        plain = ~(self.reading.unknown | self.cover)[rows, columns]
        if plain.sum() < 8:
            return None
        rows, columns = rows[plain], columns[plain]
        return np.asarray((self.reading.features[rows, columns] - self.reading.light[rows, columns]).mean(0))

    def _doubt_new_faces(self, worth: dict[Content, float]) -> None:
        """A face that was never shown may look like anything: nobody is told off for the one that is known instead."""
        for content in [
            content for content in worth if any(not self.eye.pieces[m].taught for m in content if m in self.eye.pieces)
        ]:
            pieces = sorted(mark.partition("/")[0] for mark in content)
            others = [c for c in worth if c != content and sorted(mark.partition("/")[0] for mark in c) == pieces]
            if others:
                worth[content] = max(worth[content], max(worth[c] for c in others) - UNTAUGHT)

    def _between_alike(self, worth: dict[Content, float]) -> None:
        """Pieces of one colour are told apart by their sizes alone, from where the taught ones were told apart."""
        for family in self.eye.families:
            there = [mark for mark in family if (mark,) in worth]
            if not there:
                continue
            best = max(worth[mark,] for mark in there)
            for mark in there:
                worth[mark,] -= self.eye.pieces[mark].lead
            gone = best - max(worth[mark,] for mark in there)
            for mark in there:
                worth[mark,] += gone

    def _kinds(self, content: Content) -> tuple[str, ...]:
        """Its colours, so to speak."""
        return tuple(sorted(self._family(mark) for mark in content))

    def _family(self, mark: str) -> str:
        return next((family[0] for family in self.eye.families if mark in family), mark)

    def _on_top(self, content: Content) -> Content:
        """The widest: under them the others may lie and not show."""
        widest = max(self.eye.pieces[mark].radius for mark in content)
        return tuple(mark for mark in content if self.eye.pieces[mark].radius == widest)

    def _together(self, place: Place, content: Content, free: Array, singles: Mapping[str, tuple[float, int, int]]) -> float:
        """Several pieces on one space: the clearest first; of one colour also the widest, for which is the clearest is chance."""
        orders = {tuple(sorted(content, key=lambda m: -singles[m][0]))}
        if len({self._family(mark) for mark in content}) < len(content):
            orders.add(tuple(sorted(content, key=lambda m: -self.eye.pieces[m].radius)))
        return max(self._one_by_one(place, order, free) for order in orders)

    def _one_by_one(self, place: Place, content: Content, free: Array) -> float:
        """A piece may stand under one that is at least as wide."""
        total, widest = 0.0, 0.0
        left = free.copy()
        whole = np.zeros(self.eye.flat.shape, bool)
        for mark in content:
            value, row, column = self.best(place, mark, left, SLIVER)
            piece = self.eye.pieces[mark]
            if value < -HIDING and piece.radius <= widest + ROOM:
                value = -HIDING
            else:
                self._stamp(whole, place, mark, row, column, True)
                left = left * ~whole[place.window]
                widest = max(widest, piece.radius)
            total += value
        return total
