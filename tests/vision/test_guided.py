"""Teaching the camera a board step by step: what it says when it does not find the board (synthetic pictures)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion.games import find_game
from companion.layout import Layout
from vision.guided import Guided
from vision.rendered import Conditions, Scene
from vision.view import Array


def empty(name: str) -> Array:
    return Scene(find_game(name).terms().board, Conditions(), seed=3).draw(Layout(()), step_seed=2).frame


def trouble(frame: Array, tmp_path: Path) -> str:
    """What is said about this picture when Siege was expected."""
    game = find_game("siege")
    guided = Guided(game, game.terms(), tmp_path, "0")
    guided.ask("empty")
    for tick in range(40):
        guided.frame(frame, tick / 10)
    assert not guided.is_working
    return guided.trouble


def test_half_a_board_is_told_so(tmp_path: Path) -> None:
    frame = empty("siege")
    half = np.ascontiguousarray(frame[:, frame.shape[1] // 2 :])
    assert trouble(half, tmp_path).startswith("Only a part of a board is in the picture.")


def test_another_board_is_told_so_and_no_chooser_is_spoken_of(tmp_path: Path) -> None:
    said = trouble(empty("royal_purple"), tmp_path)
    assert "do not look like Siege" in said
    assert "lay this one in its place" in said


def test_a_bare_table_is_told_so(tmp_path: Path) -> None:
    cloth = np.random.default_rng(1).normal(120, 6, (720, 1280, 3)).clip(0, 255).astype(np.uint8)
    assert "is not found in the picture" in trouble(cloth, tmp_path)


def test_the_right_board_brings_no_trouble(tmp_path: Path) -> None:
    assert trouble(empty("siege"), tmp_path) == ""
