"""A printed board, cut, glued and laid under a camera, is found by our own eye, by its tags and its lines."""

from __future__ import annotations

from math import cos, radians, sin, tan
from typing import Any

import cv2
import numpy as np
import pytest

from companion import tags
from companion.board import Board
from companion.game import Game
from companion.games import all_games
from companion.printing.board import board_drawing, board_pdf
from tests.printing.test_sheets import PER_MM, put_together
from vision.finding import calibrate_by_tags

FRAME = (1920, 1080)
NARROW_VIEW = radians(41)  # of the camera for which the mount is drawn
TABLE = (70, 90, 110)
NEAR_MM = 1.0  # less than the play of a piece in its space


def camera(board: Board, tilt: float = 3, turn: float = 2) -> Any:
    """Millimetres of the board to pixels, for a camera that hangs over its middle and is neither straight nor square."""
    width, height = board.size_mm
    hangs = (height + 2 * tags.BAND_MM) * 1.08 / 2 / tan(NARROW_VIEW / 2)
    focal = FRAME[1] / 2 / tan(NARROW_VIEW / 2)
    a, b = radians(tilt), radians(turn)
    tilted = np.array([[1, 0, 0], [0, cos(a), -sin(a)], [0, sin(a), cos(a)]])
    turned = np.array([[cos(b), -sin(b), 0], [sin(b), cos(b), 0], [0, 0, 1]])
    lens = np.array([[focal, 0, FRAME[0] / 2], [0, focal, FRAME[1] / 2], [0, 0, 1]])
    rotation = tilted @ turned
    at = rotation @ np.array([-width / 2, -height / 2, 0]) + np.array([0, 0, hangs])
    return lens @ np.column_stack([rotation[:, 0], rotation[:, 1], at])


def photographed(sheet: Any, to_pixels: Any) -> Any:
    """The sheet on a table, a little dark, blurred and noisy."""
    from_sheet = to_pixels @ np.array([[1 / PER_MM, 0, -tags.BAND_MM], [0, 1 / PER_MM, -tags.BAND_MM], [0, 0, 1]])
    frame = np.full((FRAME[1], FRAME[0], 3), TABLE, np.uint8)
    cv2.warpPerspective(cv2.GaussianBlur(sheet, (0, 0), 0.8), from_sheet, FRAME, frame, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(7).normal(0, 2.5, frame.shape)
    return np.clip(frame * 0.85 + noise, 0, 255).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_the_printed_board_is_found_and_every_space_lies_where_the_eye_looks_for_it(game: Game) -> None:
    board = game.board()
    to_pixels = camera(board)
    frame = photographed(put_together(board_pdf(board, "A4"), board_drawing(board), "A4"), to_pixels)
    view, _ = calibrate_by_tags(frame, board)
    centres = np.array([space.centre for space in board.spaces.values()])
    truth = cv2.perspectiveTransform(centres[None], to_pixels)[0]
    pixels_per_mm = FRAME[1] / (board.size_mm[1] + 2 * tags.BAND_MM) / 1.08
    assert np.linalg.norm(view.pixels(centres) - truth, axis=1).max() / pixels_per_mm < NEAR_MM
