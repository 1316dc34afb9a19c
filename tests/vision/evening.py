"""The kept frames of the two synthetic evenings, with their truth."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from companion.board import Board, load_board
from vision.sources import read_picture
from vision.view import Array, View

FOLDER = Path(__file__).parent / "evenings"
GAMES = ("fighting_marines", "kop_the_kaiser")


@cache
def board(game: str) -> Board:
    return load_board(FOLDER / game / "board.json")


@cache
def truth(game: str) -> dict[str, dict[str, Any]]:
    """By the frame's kind and step, as in its name: "empty_s00"."""
    lines = (FOLDER / game / "truth.jsonl").read_text("utf-8").splitlines()
    return {fact["frame"][4:-4]: fact for fact in map(json.loads, lines)}


@cache
def frame(game: str, name: str) -> Array:
    picture = read_picture(FOLDER / game / truth(game)[name]["frame"])
    assert picture is not None
    return picture


def corners(game: str, name: str) -> Array:
    return np.array(truth(game)[name]["board_corners_px"])


def corner_error(game: str, name: str, view: View) -> float:
    """Pixels by which the worst of the board's corners is off."""
    width, height = board(game).size_mm
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return float(np.linalg.norm(view.pixels(outline) - corners(game, name), axis=1).max())
