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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from companion.events import BadInput
from vision.fitting import fit, view_from_corners
from vision.view import View

Array = NDArray[Any]


class NotFound(BadInput):
    """The board is not to be found in this frame; the text says why and what to do."""


class Calibrated(NamedTuple):
    view: View
    residual: float  # pixels between the board's lines in the file and in the picture, root mean square


def calibrate_view(frame: Array, board: Board, corners: Array | list[tuple[float, float]]) -> Calibrated:
    """The view of an empty board whose corners were tapped, a few pixels off at most."""
    size = (frame.shape[1], frame.shape[0])
    start = view_from_corners(size, board.size_mm, np.asarray(corners, float))
    found = fit(frame, board, start)
    return Calibrated(found.view, found.residual)
