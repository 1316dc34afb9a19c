"""How millimetres appear in a frame, and back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.view import Bend, View

PLAIN = View((1280, 720), 1100.0, (0.0, 0.0), (0.0, 0.0, 0.0), (-200.0, -150.0, 900.0))
TILTED = View((1280, 720), 1100.0, (-0.06, 0.01), (0.4, -0.15, 0.3), (-180.0, -160.0, 950.0))
CURLED = replace(TILTED, bend=Bend((200.0, 150.0), (1.5, 0.3, -0.8), (90.0, 10.0, 2.0)))
SPOTS = np.array([[x, y] for x in (0.0, 130.0, 400.0) for y in (0.0, 77.0, 300.0)])


def test_straight_from_above_a_millimetre_is_focal_length_over_distance() -> None:
    assert PLAIN.pixels(np.array([200.0, 150.0])) == pytest.approx([639.5, 359.5])
    assert PLAIN.pixels(np.array([300.0, 150.0])) == pytest.approx([639.5 + 100 * 1100 / 900, 359.5], abs=1e-3)
    assert PLAIN.scale(np.array([200.0, 150.0])) == pytest.approx(1100 / 900, rel=1e-4)


@pytest.mark.parametrize("view", [PLAIN, TILTED, CURLED], ids=["plain", "tilted", "curled"])
def test_pixels_lead_back_to_the_same_millimetres(view: View) -> None:
    assert view.millimetres(view.pixels(SPOTS)) == pytest.approx(SPOTS, abs=0.01)


def test_what_stands_higher_appears_farther_from_the_middle() -> None:
    low, high = PLAIN.pixels(np.array([[400.0, 300.0, 0.0], [400.0, 300.0, 30.0]]))
    assert high[0] > low[0]
    assert high[1] > low[1]


def test_a_crease_lifts_both_its_sides_alike() -> None:
    bend = Bend((100.0, 50.0), crease=(0.0, 0.0, 4.0))
    assert bend.height(np.array([[0.0, 50.0], [30.0, 0.0], [30.0, 100.0]])) == pytest.approx([0.0, 2.0, 2.0])


@pytest.mark.parametrize("view", [PLAIN, TILTED, CURLED], ids=["plain", "tilted", "curled"])
def test_a_pose_is_found_from_where_points_appear(view: View) -> None:
    lost = view.moved(np.zeros(3), np.array([0.0, 0.0, 500.0]))
    found = lost.from_points(SPOTS, view.pixels(SPOTS))
    assert found is not None
    assert found.pixels(SPOTS) == pytest.approx(view.pixels(SPOTS), abs=0.1)


def test_no_pose_comes_from_points_that_cannot_be() -> None:
    assert PLAIN.from_points(SPOTS[:2], np.zeros((2, 2))) is None


def test_slopes_say_how_pixels_move() -> None:
    slopes = TILTED.slopes(SPOTS)
    step = 1e-4
    moved = TILTED.moved(np.array(TILTED.turn) + [0, step, 0], np.array(TILTED.shift))
    assert (moved.pixels(SPOTS) - TILTED.pixels(SPOTS)).ravel() / step == pytest.approx(slopes[:, 1], abs=3)
    longer = replace(TILTED, focal=TILTED.focal * np.exp(0.01))
    assert (longer.pixels(SPOTS) - TILTED.pixels(SPOTS)).ravel() / 0.01 == pytest.approx(slopes[:, 6], rel=0.02, abs=0.5)


def test_nothing_to_map_maps_to_nothing() -> None:
    assert TILTED.pixels(np.empty((0, 2))).shape == (0, 2)
    assert TILTED.millimetres(np.empty((0, 2))).shape == (0, 2)


def test_beside_the_board_nothing_is_bent() -> None:
    assert CURLED.flat() == TILTED
