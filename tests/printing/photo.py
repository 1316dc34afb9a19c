"""A printed board, cut and glued, with printed counters on it, under a camera: what our own eye gets to see of paper."""

from __future__ import annotations

from math import cos, radians, sin, sqrt, tan
from typing import Any

import cv2
import numpy as np

from companion import tags
from companion.board import Board
from companion.draw import placed, platform_turn
from companion.game import Game
from companion.layout import Layout
from companion.printing.board import board_drawing, board_pdf, platform_drawing
from companion.printing.pen import Pen
from companion.printing.pieces import counters
from companion.shapes import on_circle
from tests.printing.scan import Picture, put_together, scan

PER_MM = 3.0
FRAME = (1920, 1080)
NARROW_VIEW = radians(41)  # of the camera for which the mount is drawn
TABLE = (70, 90, 110)


class PrintedSet:
    """The board and the pieces of a game, as they come from the printer and the scissors."""

    def __init__(self, game: Game, paper: str = "A4") -> None:
        self.board = game.board()
        self.sheet = put_together(board_pdf(self.board, paper), board_drawing(self.board), paper, PER_MM)
        self.counters: dict[str, Picture] = {}
        for drawing in counters(game):
            if drawing.name not in self.counters:
                pen = Pen(drawing.name)
                pen.page(drawing.width, drawing.height)
                drawing.draw(pen)
                self.counters[drawing.name] = scan(pen.done(), PER_MM)[0]
        self.to_pixels = camera(self.board)

    def photo(self, layout: Layout | None = None) -> Picture:
        """The board with what stands on it; without a layout, empty."""
        return photographed(self.laid(layout) if layout else self.sheet, self.to_pixels)

    def laid(self, layout: Layout) -> Picture:
        picture = self._turned(platform_turn(self.board, layout))
        on_space: dict[str, list[Any]] = {}
        for standing in sorted(layout.standing, key=lambda s: s.level):
            on_space.setdefault(standing.space, []).append(standing)
        for space, pieces in on_space.items():
            for piece, place in zip(pieces, self._places(space, pieces, layout), strict=True):
                self._paste(picture, self.counters[f"{piece.piece} {piece.face}".strip()], place)
        return picture

    def _places(self, space: str, pieces: list[Any], layout: Layout) -> list[tuple[float, float]]:
        """In the middle of the space; several that are not stacked, in a ring round it."""
        corners = placed(self.board.spaces[space], platform_turn(self.board, layout), self.board)
        x, y = np.mean(corners, axis=0)
        if len(pieces) == 1 or any(piece.level for piece in pieces):
            return [(x, y)] * len(pieces)
        ring = sqrt(self.board.spaces[space].area) * 0.3
        return [tuple(on_circle(x, y, ring, 360 * n / len(pieces) + 45)) for n in range(len(pieces))]  # type: ignore[misc]

    def _paste(self, picture: Picture, counter: Picture, place: tuple[float, float]) -> None:
        height, width = counter.shape[:2]
        left, top = (round((at + tags.BAND_MM) * PER_MM - side / 2) for at, side in zip(place, (width, height), strict=True))
        inside = np.zeros((height, width), np.uint8)
        cv2.circle(inside, (width // 2, height // 2), min(width, height) // 2 - 1, 255, -1)
        picture[top : top + height, left : left + width][inside > 0] = counter[inside > 0]

    def _turned(self, degrees: float) -> Picture:
        """The board with its platform turned clockwise."""
        picture = self.sheet.copy()
        if degrees:
            middle = tuple((side / 2 + tags.BAND_MM) * PER_MM for side in self.board.size_mm)
            turned = cv2.warpAffine(picture, cv2.getRotationMatrix2D(middle, -degrees, 1), picture.shape[1::-1])
            disc = np.zeros(picture.shape[:2], np.uint8)
            cv2.circle(disc, (round(middle[0]), round(middle[1])), round(platform_drawing(self.board).width / 2 * PER_MM), 255, -1)
            picture[disc > 0] = turned[disc > 0]
        return picture


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


def photographed(sheet: Picture, to_pixels: Any) -> Picture:
    """The sheet on a table, a little dark, blurred and noisy."""
    from_sheet = to_pixels @ np.array([[1 / PER_MM, 0, -tags.BAND_MM], [0, 1 / PER_MM, -tags.BAND_MM], [0, 0, 1]])
    frame = np.full((FRAME[1], FRAME[0], 3), TABLE, np.uint8)
    cv2.warpPerspective(cv2.GaussianBlur(sheet, (0, 0), 0.8), from_sheet, FRAME, frame, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(7).normal(0, 2.5, frame.shape)
    return np.clip(frame * 0.85 + noise, 0, 255).astype(np.uint8)
