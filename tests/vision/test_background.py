"""What the eye takes for the bare board: shadows, also coloured ones, but no paint."""

from __future__ import annotations

import numpy as np
import pytest

from vision.background import ANYTHING, _empty

SPREAD = np.full((1, 1, 3), 0.06**2)


def is_board(brightness: float, red: float, blue: float) -> bool:
    """Does a pixel that differs so from the empty board look more like it than like anything at all?"""
    return float(_empty(np.array([[[brightness, red, blue]]]), SPREAD)[1][0, 0]) > ANYTHING


def test_a_shadow_is_the_board() -> None:
    assert is_board(-0.5, 0.0, 0.0)


@pytest.mark.parametrize(("red", "blue"), [(0.1, -0.25), (-0.1, 0.25)])
def test_where_lamp_and_window_differ_so_is_a_shadow_in_the_colour_of_the_other(red: float, blue: float) -> None:
    assert is_board(-0.5, red, blue)


@pytest.mark.parametrize(("red", "blue"), [(1.2, -0.3), (-0.5, 0.7), (-0.9, -0.5), (0.1, -1.2)])
def test_paint_is_no_shadow_however_dark(red: float, blue: float) -> None:
    for darkness in (-0.1, -0.4, -0.8):
        assert not is_board(darkness, red, blue)


def test_without_darkness_a_tint_is_no_shadow() -> None:
    assert not is_board(0.0, 0.1, -0.35)
