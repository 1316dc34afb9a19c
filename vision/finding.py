"""Finding the board in a frame, as a `View`; noticing that it was bumped.

    view, residual = calibrate_view(frame, board, corners)   # once, on a picture of the empty board; corners as tapped: px of
                                                             # top left, top right, bottom right, bottom left
    finder = Finder(board, view, frame)                      # keeps that picture as its reference, learns the tags in it
    view = finder.acquire(frame)                             # any later frame: where is the board now? NotFound says what to do
    check = finder.check(frame, view)                        # cheap: has it moved since? check.bumped, check.moved_mm, check.why

Whatever gave the first guess (tags, the reference picture, the last view), the answer is always verified and refined on the
board's own picture: tags may stay behind when the board is bumped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.events import BadInput
from vision.fitting import fit, view_from_corners
from vision.landmarks import NARROW, WIDE, Drift, Landmarks, Motion, Windows, displacement
from vision.likeness import Likeness
from vision.tags import Corners, Places, learned, seen_tags, view_from_tags
from vision.view import View

Array = NDArray[Any]

FEW = 24  # landmarks asked where a guess is good, well spread over the board
CHECKED = 14  # landmarks asked by a cheap check
SETTLED_MM = 1.5  # a guess this good needs no second look
BUMP_MM = 1.0  # less than the play of a piece in its space


class NotFound(BadInput):
    """The board is not to be found in this frame; the text says why and what to do."""


class Calibrated(NamedTuple):
    view: View
    residual: float  # pixels between the board's lines in the file and in the picture, root mean square


class Check(NamedTuple):
    """Has the board moved since this view was right?"""

    moved_mm: float | None  # of its corner that moved most; None: cannot tell
    doubt_mm: float  # of that number, one standard deviation
    why: str  # why it cannot tell: then acquire again, once all is still
    tags_in_place: int  # known tags that still lie where they did

    @property
    def bumped(self) -> bool:
        """Certainly moved."""
        return self.moved_mm is not None and self.moved_mm > max(BUMP_MM, 3 * self.doubt_mm)

    @property
    def in_place(self) -> bool:
        """Certainly not moved."""
        return self.moved_mm is not None and not self.bumped


def _tells(drift: Drift) -> bool:
    return drift.chance < 1e-4 and drift.doubt_mm < BUMP_MM


def calibrate_view(frame: Array, board: Board, corners: Array | list[tuple[float, float]]) -> Calibrated:
    """The view of an empty board whose corners were tapped, a few pixels off at most."""
    size = (frame.shape[1], frame.shape[0])
    start = view_from_corners(size, board.size_mm, np.asarray(corners, float))
    found = fit(frame, board, start)
    return Calibrated(found.view, found.residual)


class Finder:
    """Finds one board again and again, by what a picture of it empty has taught."""

    def __init__(self, board: Board, view: View, reference: Array, tags: Mapping[int, Array] | None = None) -> None:
        self.board = board
        self.reference = reference
        self.view = view  # of the reference
        self.last = view
        self.landmarks = Landmarks.of(reference, view, board)
        self.likeness = Likeness.of(reference, view, board)
        self._watching: tuple[View, Corners, Places, Windows] | None = None
        self.tags: Corners = dict(tags) if tags is not None else learned(seen_tags(reference), view)

    def acquire(self, frame: Array) -> View:
        """Where the board is now."""
        self._usable(frame)
        seen = seen_tags(frame)
        motion = self._by_guess(frame, seen) or self._by_likeness(frame)
        if motion is None:
            raise NotFound(self._why_not(frame, seen))
        self._relearn(seen, motion.view)
        self.last = motion.view
        return motion.view

    def check(self, frame: Array, view: View) -> Check:
        """Has the board moved since this view was right? Looks at a few small places only."""
        self._usable(frame)
        places, near = self._watched(view)
        tags = len(places.in_place(frame))
        drift = self.landmarks.drift(frame, view, near, cheap=True)
        if not _tells(drift):
            which = self.landmarks.order[: 2 * CHECKED]
            drift = self.landmarks.drift(frame, view, self.landmarks.windows(view, which, WIDE), cheap=False)
        if _tells(drift):
            return Check(drift.moved_mm, drift.doubt_mm, "", tags)
        return Check(None, np.inf, "covered, or moved far", tags)

    def _watched(self, view: View) -> tuple[Places, Windows]:
        """Where a check looks, kept for as long as the view stays."""
        if self._watching is None or self._watching[0] is not view or self._watching[1] is not self.tags:
            near = self.landmarks.windows(view, self.landmarks.order[:CHECKED], 0)
            self._watching = view, self.tags, Places.of(self.tags, view), near
        return self._watching[2:]

    def _by_guess(self, frame: Array, seen: Corners) -> Motion | None:
        """From the tags, or from where the board was last."""
        for guess in (view_from_tags(seen, self.tags, self.view), self.last):
            if guess is not None and (motion := self._verified(frame, guess, NARROW)):
                return motion
        return None

    def _by_likeness(self, frame: Array) -> Motion | None:
        guess = self.likeness.guess(frame)
        return self._verified(frame, guess, WIDE) if guess is not None else None

    def _verified(self, frame: Array, guess: View, reach: int) -> Motion | None:
        """The guess refined on the board's own picture; None unless the board is certainly there."""
        few = self.landmarks.order[:FEW] if reach == NARROW else None
        motion = self.landmarks.locate(frame, guess, reach, few)
        if not motion.sure and few is not None:
            motion = self.landmarks.locate(frame, guess, reach)
        if not motion.sure:
            return None
        if displacement(self.board, guess, motion.view) < SETTLED_MM:
            return motion
        again = self.landmarks.locate(frame, motion.view, NARROW, few)
        return again if again.sure else motion

    def _relearn(self, seen: Corners, view: View) -> None:
        """Tags that are new, or lie elsewhere now: what the board says is right."""
        now = learned(seen, view)
        strayed = [t for t in now if t in self.tags and np.linalg.norm(now[t] - self.tags[t], axis=1).max() > 2 * BUMP_MM]
        if strayed:
            self.tags = now
        else:
            self.tags = self.tags | {t: corners for t, corners in now.items() if t not in self.tags}

    def _usable(self, frame: Array) -> None:
        expected = self.view.size
        if frame.ndim not in (2, 3) or (frame.shape[1], frame.shape[0]) != expected:
            size = f"{frame.shape[1]} × {frame.shape[0]}" if frame.ndim >= 2 else "no picture"
            raise NotFound(
                f"the picture is {size}, but the board was calibrated at {expected[0]} × {expected[1]}: "
                "set the camera to that size or calibrate again"
            )

    def _why_not(self, frame: Array, seen: Corners) -> str:
        sparse = frame[::8, ::8]
        if float(np.percentile(sparse, 99)) < 24 or float(sparse.std()) < 3:
            return "the picture is black or blank: take the cover off the camera, or switch on a lamp"
        return f"{self.board.title} is not in the picture"
