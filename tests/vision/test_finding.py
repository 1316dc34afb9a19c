"""Finding the board: first from corners, tags or its own art, then again in every later frame; noticing bumps, and only bumps.

The evenings are path-traced by another program, the rendered tables are our own; both are synthetic. Nothing here was tuned to them.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.layout import Layout
from tests.vision.evening import GAMES, board, corner_error, corners, frame, truth
from vision.finding import Calibrated, Finder, NotFound, calibrate_by_art, calibrate_by_tags, calibrate_view
from vision.rendered import Conditions, Hand, Pose, Scene, Truth, random_conditions
from vision.tags import learned, seen_tags, view_from_tags
from vision.view import Array, View

LATER = [(game, name) for game in GAMES for name in truth(game) if name != "empty_s00"]


@cache
def calibrated(game: str) -> Calibrated:
    careless = np.random.default_rng(5).normal(0, 3, (4, 2))
    return calibrate_view(frame(game, "empty_s00"), board(game), corners(game, "empty_s00") + careless)


def finder(game: str, tags: bool = True) -> Finder:
    return Finder(board(game), calibrated(game).view, frame(game, "empty_s00"), None if tags else {})


# --- the first time ---


@pytest.mark.parametrize("game", GAMES)
def test_carelessly_tapped_corners_become_exact(game: str) -> None:
    view, residual = calibrated(game)
    assert corner_error(game, "empty_s00", view) < 1.0
    assert residual < 0.5


def test_tags_at_known_places_replace_the_tapping() -> None:
    game = "kop_the_kaiser"
    places = finder(game).tags
    assert len(places) >= 6
    view, _ = calibrate_by_tags(frame(game, "empty_s00"), board(game), places)
    assert corner_error(game, "empty_s00", view) < 1.0


def test_without_any_known_tag_the_corners_are_asked_for() -> None:
    game = "kop_the_kaiser"
    with pytest.raises(NotFound, match="tap the board's four corners"):
        calibrate_by_tags(frame(game, "empty_s00"), board(game), {49: np.zeros((4, 2))})


@pytest.mark.slow
def test_a_board_is_found_by_its_own_lines_and_turned_by_its_own_colours() -> None:
    game = "fighting_marines"
    view, _ = calibrate_by_art(frame(game, "empty_s00"), board(game))
    assert corner_error(game, "empty_s00", view) < 1.0


@pytest.mark.slow
def test_a_board_that_looks_the_same_upside_down_is_asked_about() -> None:
    game = "kop_the_kaiser"
    with pytest.raises(NotFound, match="which side is up cannot be told"):
        calibrate_by_art(frame(game, "empty_s00"), board(game))


def test_corners_that_begin_at_the_wrong_side_are_refused_by_the_colours() -> None:
    game = "fighting_marines"
    with pytest.raises(NotFound, match="turned by 90"):
        calibrate_view(frame(game, "empty_s00"), board(game), np.roll(corners(game, "empty_s00"), 1, 0))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c[::-1], "must run clockwise"),
        (lambda c: c[:3], "four corners are needed"),
        (lambda c: c * np.nan, "four corners are needed"),
        (lambda c: c + 35, "do not fit the picture"),
    ],
)
def test_corners_that_cannot_be_right_get_one_clear_line(change: object, words: str) -> None:
    game = "kop_the_kaiser"
    assert callable(change)
    with pytest.raises(NotFound, match=words):
        calibrate_view(frame(game, "empty_s00"), board(game), change(corners(game, "empty_s00")))


# --- again, in every later frame ---


@pytest.mark.parametrize(("game", "name"), LATER)
def test_the_board_is_found_again_whatever_happened_on_it(game: str, name: str) -> None:
    """Pieces, an arm, a mug, another lamp, bumps with the tags and without them."""
    assert corner_error(game, name, finder(game).acquire(frame(game, name))) < 1.2


@pytest.mark.parametrize(("game", "name"), LATER)
def test_it_is_found_without_tags_by_its_likeness(game: str, name: str) -> None:
    untagged = finder(game, tags=False)
    picture = frame(game, name).copy()
    for tag in seen_tags(picture).values():
        cv2.fillPoly(picture, [np.int32(tag.mean(0) + (tag - tag.mean(0)) * 1.5)], (128, 128, 128))
    assert corner_error(game, name, untagged.acquire(picture)) < 1.2


def test_tags_that_stayed_behind_mislead_alone_but_not_with_the_board_asked() -> None:
    game, name = "kop_the_kaiser", "bump_s06"
    eye = finder(game)
    by_tags = view_from_tags(seen_tags(frame(game, name)), eye.tags, eye.view)
    assert by_tags is not None
    assert corner_error(game, name, by_tags) > 10
    assert corner_error(game, name, eye.acquire(frame(game, name))) < 1.2
    # They were learned anew: now they tell the truth again.
    by_tags = view_from_tags(seen_tags(frame(game, "settled_s16")), eye.tags, eye.view)
    assert by_tags is not None
    assert corner_error(game, "settled_s16", by_tags) < 2


def test_one_tag_that_was_kicked_away_is_outvoted() -> None:
    game = "kop_the_kaiser"
    eye = finder(game)
    kicked = dict(eye.tags)
    first = min(kicked)
    kicked[first] = kicked[first] + 40.0
    found = view_from_tags(seen_tags(frame(game, "teach_s00")), kicked, eye.view)
    assert found is not None
    assert corner_error(game, "teach_s00", found) < 1.5


def test_learned_tags_are_squares_of_their_printed_size() -> None:
    game = "kop_the_kaiser"
    for corners_mm in finder(game).tags.values():
        sides = np.linalg.norm(corners_mm - np.roll(corners_mm, 1, 0), axis=1)
        assert sides == pytest.approx([30] * 4, abs=1.2)


# --- noticing bumps, and only bumps ---


@pytest.mark.parametrize(
    ("game", "name"), [(g, n) for g in GAMES for n, fact in truth(g).items() if not fact["bumped"] and n != "empty_s00"]
)
def test_pieces_hands_mugs_and_light_are_no_bump(game: str, name: str) -> None:
    eye = finder(game)
    check = eye.check(frame(game, name), eye.view)
    assert not check.bumped
    assert check.in_place


@pytest.mark.parametrize(("game", "name"), [(g, n) for g in GAMES for n, fact in truth(g).items() if fact["bumped"]])
def test_a_bump_is_noticed_and_measured(game: str, name: str) -> None:
    eye = finder(game)
    check = eye.check(frame(game, name), eye.view)
    assert check.bumped
    assert check.moved_mm is not None
    before, after = (eye.view.millimetres(corners(game, n)) for n in ("empty_s00", name))
    assert check.moved_mm == pytest.approx(float(np.linalg.norm(after - before, axis=1).max()), rel=0.15, abs=0.5)


@pytest.mark.parametrize("light", [lambda f: f * 0.35, lambda f: f * np.array([0.6, 0.9, 1.1]), lambda f: 40 + f * 0.7])
def test_a_lamp_that_changes_is_no_bump(light: object) -> None:
    game = "kop_the_kaiser"
    eye = finder(game)
    assert callable(light)
    changed = np.clip(light(frame(game, "empty_s00").astype(float)), 0, 255).astype(np.uint8)
    assert eye.check(changed, eye.view).in_place
    assert corner_error(game, "empty_s00", eye.acquire(changed)) < 1.0


def test_a_covered_board_cannot_be_judged() -> None:
    game = "kop_the_kaiser"
    eye = finder(game)
    covered = frame(game, "empty_s00").copy()
    covered[:, 200:1100] = (60, 80, 90)
    check = eye.check(covered, eye.view)
    assert check.moved_mm is None
    assert check.why == "covered"
    assert not check.bumped
    assert not check.in_place


# --- what is not there ---


@cache
def strange_frames() -> dict[str, tuple[Array, str]]:
    empty = frame("kop_the_kaiser", "empty_s00")
    dice = np.random.default_rng(1)
    return {
        "black": (dice.integers(0, 5, empty.shape).astype(np.uint8), "black or blank: take the cover off"),
        "size": (empty[:-20], "1280 × 700, but the board was calibrated at 1280 × 720"),
        "another board": (frame("fighting_marines", "empty_s00"), "not Kop the Kaiser"),
        "bare table": (np.clip(dice.normal(120, 5, empty.shape), 0, 255).astype(np.uint8), "not in the picture: lay it under the camera"),
    }


@pytest.mark.parametrize("name", ["black", "size", "another board", "bare table"])
def test_what_is_wrong_is_said_in_one_line(name: str) -> None:
    picture, words = strange_frames()[name]
    with pytest.raises(NotFound, match=words) as error:
        finder("kop_the_kaiser").acquire(picture)
    assert "\n" not in str(error.value)


# --- our own rendered tables: other boards, cameras and disturbances ---


def spaces_error(game: str, view: View, real: Truth) -> float:
    """Pixels by which the outlines of the spaces are off, at worst."""
    spaces = find_game(game).terms().board.spaces.values()
    points = np.array([p for s in spaces if "platform" not in s.kinds for p in s.outline])
    return float(np.linalg.norm(view.pixels(points) - real.view.pixels(points), axis=1).max())


@cache
def rendered(game: str, conditions: Conditions, seed: int) -> tuple[Scene, Finder, float]:
    scene = Scene(find_game(game).terms().board, conditions, seed)
    empty = scene.draw(Layout(()))
    tapped = empty.truth.corners + np.random.default_rng(seed).normal(0, 3, (4, 2))
    view, _ = calibrate_view(empty.frame, scene.board, tapped)
    return scene, Finder(scene.board, view, empty.frame), spaces_error(game, view, empty.truth)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "disturbance", "seed"),
    [("siege", "tilt", 101), ("royal_purple", "curl", 102), ("fighting_marines", "four_tags", 103), ("kop_the_kaiser", "no_tags", 104)],
)
def test_a_rendered_board_bumped_and_turned_is_found_again(game: str, disturbance: str, seed: int) -> None:
    scene, eye, error = rendered(game, random_conditions(seed, disturbance), seed)
    assert error < 3.5
    for pose, covers in (
        (Pose(30, -26, 30, with_tags=True), ()),
        (Pose(-12, 9, 3, with_tags=False), ()),
        (Pose(20, 10, -8, with_tags=False), (Hand(at=(scene.board.size_mm[0] / 2, scene.board.size_mm[1] / 2)),)),
    ):
        picture = scene.draw(Layout(()), covers, step_seed=9, pose=pose)
        assert eye.check(picture.frame, eye.view).bumped
        assert spaces_error(game, eye.acquire(picture.frame), picture.truth) < error + 1.0


def test_a_board_slid_by_exactly_one_square_is_not_taken_for_still() -> None:
    game = "siege"
    scene, eye, _ = rendered(game, Conditions(noise=1.5, tags=()), 7)
    a, b = list(scene.board.spaces.values())[:2]
    slide = np.subtract(b.centre, a.centre)
    picture = scene.draw(Layout(()), step_seed=2, pose=Pose(float(slide[0]), float(slide[1]), 0.0, with_tags=False))
    assert eye.check(picture.frame, eye.view).bumped
    assert spaces_error(game, eye.acquire(picture.frame), picture.truth) < 3.0


def test_a_board_half_outside_the_picture_is_to_be_pushed_back() -> None:
    scene, eye, _ = rendered("siege", Conditions(noise=1.5, tags=()), 7)
    picture = scene.draw(Layout(()), step_seed=3, pose=Pose(250.0, 0.0, 0.0, with_tags=False))
    with pytest.raises(NotFound, match="outside the picture: push the board back"):
        eye.acquire(picture.frame)


def test_tags_are_learned_where_they_lie() -> None:
    scene, eye, _ = rendered("siege", Conditions(noise=1.5, tag_style="loose"), 3)
    truth_px = scene.draw(Layout(())).truth.tags_px
    assert set(eye.tags) == set(truth_px)
    seen = learned(truth_px, eye.view)
    for tag, corners_mm in eye.tags.items():
        assert corners_mm == pytest.approx(seen[tag], abs=0.8)
