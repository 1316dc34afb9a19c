"""What is suggested of old boards (synthetic) in other styles, and what of them the eye needs: by pure functions, the corners as a thumb and
the wizard leave them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.mapping.draft import checked_shape
from companion.mapping.palette import palette_of
from tests.mapping.host import CLOSE, KIND, SCREEN, THUMB, mapped, outlines_off, true_names, true_shape
from tests.mapping.old_boards import Old, old, photograph
from tests.mapping.refereed import own_stage
from tests.vision.evenings_rendered import evening, referee
from tests.vision.score import Score
from vision.mapping import Draughtsman

GRIDS = [("siege", n) for n in range(3)] + [("royal_purple", n) for n in range(3)]
OTHERS = [("fighting_marines", 1), ("royal_game", 1)]


@cache
def seen(game: str, number: int) -> tuple[Old, bytes, list[list[float]]]:
    """The board laid flat, after a thumb has dragged the corners."""
    one, eye = old(game, number), Draughtsman()
    photo, chance = photograph(one), Random(f"{game} {number}")
    high, wide = photo.frame.shape[:2]
    jpeg = bytes(cv2.imencode(".jpg", photo.frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
    error = THUMB / SCREEN * wide
    put = [[(x + 0.5 + chance.gauss(0, error)) / wide, (y + 0.5 + chance.gauss(0, error)) / high] for x, y in photo.truth.corners]
    corners = eye.snapped(jpeg, put)
    return one, eye.flat(jpeg, corners, one.board.size_mm), corners


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), GRIDS + OTHERS)
def test_nine_lines_of_ten_are_suggested_right_and_close(game: str, number: int) -> None:
    one, flat, _ = seen(game, number)
    found, true = Draughtsman().suggest(flat, KIND[game], one.board.size_mm), true_shape(one)
    assert checked_shape(found)
    if KIND[game] == "ring":
        assert found["count"] == true["count"]
        return
    for lines in ("columns", "rows"):
        pitch = true[lines][1] - true[lines][0]
        near = [min(abs(line - other) for other in found[lines]) < 0.1 * pitch for line in true[lines]]
        assert sum(near) >= 0.9 * len(near), (lines, found[lines], true[lines])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), [*GRIDS, ("fighting_marines", 1)])
def test_nine_colours_of_ten_are_suggested_right(game: str, number: int) -> None:
    one, flat, _ = seen(game, number)
    eye, found = Draughtsman(), find_game(game)
    palette = palette_of(found)
    told = [name for name in true_names(one, palette) if palette.marks[name.mark].colour and not palette.marks[name.mark].link]
    outlines = [one.board.spaces[name.space].outline for name in told if "platform" not in one.board.spaces[name.space].kinds]
    wanted = [name.mark for name in told if "platform" not in one.board.spaces[name.space].kinds]
    marks = sorted({*wanted})
    sorted_out = eye.sorted_by_colour(eye.colours(flat, outlines, one.board.size_mm), [palette.marks[mark].colour for mark in marks])
    right = sum(marks[index] == mark for index, mark in zip(sorted_out, wanted, strict=True))
    assert right >= 0.9 * len(wanted), (right, len(wanted))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["royal_game", "fighting_marines"])
def test_circles_that_a_finger_tapped_move_onto_those_that_are_seen(game: str) -> None:
    one, flat, _ = seen(game, 1)
    eye, true, chance = Draughtsman(), true_shape(one), Random(4)
    shape: dict[str, Any] = {**true, "discs": []}
    for disc in true["discs"]:
        radius = shape["discs"][-1]["radius"] if shape["discs"] else (0.12 if game == "royal_game" else 0.03)
        tapped = {"at": [v + chance.gauss(0, 2.5) / SCREEN for v in disc["at"]], "radius": radius}
        shape = eye.snapped_shape(flat, {**shape, "discs": [*shape["discs"], tapped]}, shape)
    far = [np.hypot(*np.subtract(a["at"], b["at"])) / b["radius"] for a, b in zip(shape["discs"], true["discs"], strict=True)]
    sizes = [abs(a["radius"] / b["radius"] - 1) for a, b in zip(shape["discs"], true["discs"], strict=True)]
    assert max(far) < 0.12
    assert max(sizes) < 0.08


@pytest.mark.slow
def test_a_strip_of_a_path_moves_onto_its_lines() -> None:
    one, flat, _ = seen("kop_the_kaiser", 1)
    eye, true, chance = Draughtsman(), true_shape(one), Random(4)
    strip = true["parts"][0]
    put = {**strip, "corners": [[v + chance.gauss(0, THUMB) / SCREEN for v in corner] for corner in strip["corners"]]}
    moved = eye.snapped_shape(flat, {**true, "parts": [put]}, {**true, "parts": []})["parts"][0]["corners"]
    pitch = np.hypot(*np.subtract(strip["corners"][0], strip["corners"][3])) / strip["count"]
    assert np.abs(np.subtract(moved, strip["corners"])).max() < 2 * CLOSE * pitch


@pytest.mark.slow
def test_the_eye_finds_a_mapped_board_by_its_own_picture_and_referees_on_it() -> None:
    """The start of a game; whole ones are in the soak."""
    one, flat, _ = seen("siege", 1)
    board, score = mapped(one), Score()
    at = own_stage(one, board, Draughtsman().reference(flat))
    referee(at, evening(at, 3), score)
    assert score.total["steps"] >= 2
    assert (score.total["wrong"], score.total["false_alarms"]) == (0, 0), score.faults


def test_what_is_mapped_exactly_is_where_it_was_drawn() -> None:
    for game in KIND:
        one = old(game, 2)
        board = mapped(one)
        assert max(outlines_off(one.board, {s.id: s.outline for s in board.spaces.values()}).values()) < CLOSE / 10
