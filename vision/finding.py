"""Finding the board in a frame, as a `View`; noticing that it was bumped.

    view, residual = calibrate_view(frame, board, corners)   # once, on a picture of the empty board; corners as tapped: px of
                                                             # top left, top right, bottom right, bottom left
    view, residual = calibrate_by_tags(frame, board)         # or by the printed frame of tags round it
    view, residual = calibrate_by_art(frame, board)          # or by its own lines and colours; NotFound asks for corners if unsure
    finder = Finder(board, view, frame)                      # keeps that picture as its reference, learns the tags in it
    view = finder.acquire(frame)                             # any later frame: where is the board now? NotFound says what to do
    check = finder.check(frame, view)                        # cheap: has it moved since? check.bumped, check.moved_mm, check.why
    finder.tags                                              # learned: id -> corners in board millimetres; Finder(..., tags=...) to keep

Whatever gave the first guess (tags, the reference picture, the last view), the answer is always verified and refined on the
board's own picture: tags may stay behind when the board is bumped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.events import BadInput
from companion.tags import tag_corners
from vision.border import Border, places
from vision.first_sight import UPRIGHT, colour_agreement, corners_from_tags, is_clockwise, shape_like_a_board, shapes
from vision.fitting import Fit, fit, view_from_corners
from vision.landmarks import NARROW, WIDE, Drift, Landmarks, Motion, Windows, displacement
from vision.likeness import Likeness
from vision.tags import Corners, Places, learned, seen_tags, view_from_tags
from vision.view import View

Array = NDArray[Any]

FEW = 24  # landmarks asked where a guess is good, well spread over the board
CHECKED = 14  # landmarks asked by a cheap check
SETTLED_MM = 1.5  # a guess this good needs no second look
FITTING = 0.7  # misfit up to which the board's lines count as found; chance gives 1
DARK = 24  # grey levels that hardly any pixel exceeds
SIDES = 4  # of the board's border must be seen where they are expected, at least in part
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


def calibrate_view(frame: Array, board: Board, corners: Array | Sequence[tuple[float, float]]) -> Calibrated:
    """The view of an empty board whose corners were tapped, a few pixels off at most."""
    tapped = np.asarray(corners, float)
    if tapped.shape != (4, 2) or not np.isfinite(tapped).all():
        raise NotFound("four corners are needed, each x and y in pixels: top left, top right, bottom right, bottom left")
    if not is_clockwise(tapped):
        raise NotFound("the corners must run clockwise: top left, top right, bottom right, bottom left of the board")
    refuse_dark(frame)
    found = _fitted(frame, board, tapped)
    if found.misfit > FITTING:
        raise NotFound(f"the lines of {board.title} do not fit the picture there: tap the corners again, or choose another board file")
    turn = _better_turn(frame, board, found.view)
    if turn:
        raise NotFound(
            f"by its colours the board lies turned by {90 * turn}° clockwise: begin with its own top left corner, "
            "as the board file draws it"
        )
    return Calibrated(found.view, found.residual)


def calibrate_by_tags(frame: Array, board: Board, places: Mapping[int, Any] | None = None) -> Calibrated:
    """The view of an empty board among tags that lie at known places: those of the printed frame, unless others are given."""
    corners = corners_from_tags(frame, board, tag_corners(board.size_mm) if places is None else places)
    if corners is None:
        raise NotFound("fewer than two tags of the printed frame are seen: uncover them, light them, or tap the board's four corners")
    return calibrate_view(frame, board, corners)


def calibrate_by_art(frame: Array, board: Board) -> Calibrated:
    """The view of an empty board found by its own lines and colours."""
    refuse_dark(frame)
    fits = (_fitted(frame, board, shape.corners, bent=False) for shape in shapes(frame, board) if shape.misfit < 1)
    best = next((fit for fit in fits if fit.misfit < FITTING), None)
    if best is None:
        raise NotFound(f"{board.title} was not found by its own lines: tap its four corners")
    agreement = colour_agreement(frame, board, best.view)
    order = sorted(agreement, key=lambda turn: -agreement[turn])
    if len(order) < 2 or agreement[order[0]] - agreement[order[1]] < UPRIGHT:
        raise NotFound(f"{board.title} lies there, but which side is up cannot be told by its colours: tap its four corners")
    corners = np.roll(best.view.pixels(_corners(board)), -order[0], 0)
    return calibrate_view(frame, board, corners)


def _fitted(frame: Array, board: Board, corners: Array, bent: bool = True) -> Fit:
    size = (frame.shape[1], frame.shape[0])
    return fit(frame, board, view_from_corners(size, board.size_mm, corners), bent)


def _better_turn(frame: Array, board: Board, view: View) -> int:
    """By how many quarter turns clockwise the board lies otherwise, going by its colours; 0 unless that is plain."""
    agreement = colour_agreement(frame, board, view)
    best = max(agreement, key=lambda turn: agreement[turn], default=0)
    return best if agreement and agreement[best] > agreement[0] + 3 * UPRIGHT else 0


def _corners(board: Board) -> Array:
    width, height = board.size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def refuse_dark(frame: Array) -> None:
    sparse = frame[::8, ::8]
    if float(np.percentile(sparse, 99)) < DARK or float(sparse.std()) < 2:
        raise NotFound("the picture is black or blank: take the cover off the camera, or switch on a lamp")


class Finder:
    """Finds one board again and again, by what a picture of it empty has taught."""

    def __init__(self, board: Board, view: View, reference: Array, tags: Mapping[int, Array] | None = None) -> None:
        self.board = board
        self.reference = reference
        self.view = view  # of the reference
        self.last = view
        self.landmarks = Landmarks.of(reference, view, board)
        self.likeness = Likeness.of(reference, view, board)
        self.border = Border.of(reference, view, board)
        self._watching: tuple[View, Corners, Places, Windows, tuple[Array, Array]] | None = None
        self.tags: Corners = dict(tags) if tags is not None else learned(seen_tags(reference), view)

    def acquire(self, frame: Array) -> View:
        """Where the board is now."""
        self._refuse_other_size(frame)
        seen = seen_tags(frame)
        motion = self._search(frame, seen)
        if motion is None:
            refuse_dark(frame)
            raise NotFound(self._why_not(frame, seen))
        self._refuse_outside(motion.view)
        self._relearn(seen, motion.view)
        self.last = motion.view
        return motion.view

    def check(self, frame: Array, view: View) -> Check:
        """Has the board moved since this view was right? Looks at a few small places, and farther only if those do not tell."""
        self._refuse_other_size(frame)
        tag_places, near, edge = self._watched(view)
        tags = len(tag_places.in_place(frame))
        drift = self.landmarks.drift(frame, view, near, cheap=True)
        if not _tells(drift):
            which = self.landmarks.order[: 2 * CHECKED]
            drift = self.landmarks.drift(frame, view, self.landmarks.windows(view, which, WIDE), cheap=False)
        if _tells(drift) and (drift.moved_mm > BUMP_MM or self.border.sides_seen(frame, *edge) >= SIDES):
            return Check(drift.moved_mm, drift.doubt_mm, "", tags)
        motion = self._search(frame, seen_tags(frame))
        if motion is None:
            return Check(None, np.inf, "covered", tags)
        return Check(displacement(self.board, view, motion.view), motion.doubt_mm, "", tags)

    def _search(self, frame: Array, seen: Corners) -> Motion | None:
        """From the tags, from where the board was last, or by its likeness; always verified on the board itself."""
        for guess in (view_from_tags(seen, self.tags, self.view), self.last):
            if guess is not None and (motion := self._verified(frame, guess, NARROW)):
                return motion
        guess = self.likeness.guess(frame)
        return self._verified(frame, guess, WIDE) if guess is not None else None

    def _watched(self, view: View) -> tuple[Places, Windows, tuple[Array, Array]]:
        """Where a check looks, kept for as long as the view stays."""
        if self._watching is None or self._watching[0] is not view or self._watching[1] is not self.tags:
            near = self.landmarks.windows(view, self.landmarks.order[:CHECKED], 0)
            self._watching = view, self.tags, Places.of(self.tags, view), near, places(self.border.points, view)
        return self._watching[2:]

    def _verified(self, frame: Array, guess: View, reach: int) -> Motion | None:
        """The guess refined on the board's own picture; None unless the board is certainly there."""
        few = self.landmarks.order[:FEW]
        # Boards slide on a level table; only a knocked camera sees the table at another slant.
        for which, level in ((few, self.last), (None, self.last), (None, guess)):
            motion = self.landmarks.locate(frame, guess, reach, which, level)
            if motion.sure and self.border.sides_seen(frame, *places(self.border.points, motion.view)) >= SIDES:
                break
        else:
            return None
        if displacement(self.board, guess, motion.view) < SETTLED_MM:
            return motion
        again = self.landmarks.locate(frame, motion.view, NARROW, which, level)
        return again if again.sure else motion

    def _relearn(self, seen: Corners, view: View) -> None:
        """Tags that are new, or lie elsewhere now: what the board says is right."""
        now = learned(seen, view)
        strayed = [t for t in now if t in self.tags and np.linalg.norm(now[t] - self.tags[t], axis=1).max() > 2 * BUMP_MM]
        if strayed:
            self.tags = now
        else:
            self.tags = self.tags | {t: corners for t, corners in now.items() if t not in self.tags}

    def _refuse_other_size(self, frame: Array) -> None:
        width, height = self.view.size
        if frame.ndim != 3 or frame.shape[:2] != (height, width):
            size = f"{frame.shape[1]} × {frame.shape[0]}" if frame.ndim == 3 else "not in colour"
            raise NotFound(
                f"the picture is {size}, but the board was calibrated at {width} × {height}: set the camera to that size or calibrate again"
            )

    def _refuse_outside(self, view: View) -> None:
        """Part of the board beyond the picture's edge: then its spaces there cannot be seen."""
        width, height = view.size
        middles = np.array([s.centre for s in self.board.spaces.values()])
        pixels = view.pixels(middles)
        inside = ((pixels >= 0) & (pixels <= [width - 1, height - 1])).all(1)
        outside = int((~inside).sum())
        if outside:
            raise NotFound(f"{outside} of {len(middles)} spaces lie outside the picture: push the board back under the camera")

    def _why_not(self, frame: Array, seen: Corners) -> str:
        """What to do about a board that is not found."""
        guess = view_from_tags(seen, self.tags, self.view)
        title = self.board.title
        if guess is not None and sum(t in self.tags for t in seen) >= 3:
            return f"the tags are there, but between them not {title}: uncover the board, or calibrate if it is another one"
        if shape_like_a_board(frame):
            return f"something like a board is there, but not {title}: uncover it, lay the right one, or calibrate this one"
        return f"{title} is not in the picture: lay it under the camera, take away what covers it, and light it well"
