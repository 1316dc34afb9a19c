"""What the eye sees, on path-traced pictures that no renderer of ours has drawn (tests/vision/evenings/README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.events import BadInput
from tests.vision import evening
from vision.calibration import Calibration, calibrate, lamp_check, load_calibration
from vision.marks import EMPTY, Content
from vision.overlay import overlay
from vision.view import View

KOP, MARINES = "kop_the_kaiser", "fighting_marines"


def standing(game: str, name: str) -> dict[str, Content]:
    """What really stands in a picture."""
    there: dict[str, list[str]] = {}
    for id, piece in evening.truth(game)[name]["pieces"].items():
        mark = f"{id}/{piece['face'].lower()}" if "face" in piece else f"{piece['colour']}-{piece['rank']}"
        there.setdefault(piece["space"], []).append(mark)
    return {space: tuple(sorted(marks)) for space, marks in there.items()}


def learned(game: str) -> Calibration:
    empty, teach = "empty_s00", "teach_s00"
    tapped = [(float(x) + 2, float(y) - 2) for x, y in evening.corners(game, empty)]
    number = 44 if game == MARINES else None
    frames = evening.frame(game, empty), evening.frame(game, teach)
    return calibrate(evening.board(game), *frames, standing(game, teach), tapped, number, "test")


@pytest.fixture(scope="module")
def kop() -> Calibration:
    return learned(KOP)


@pytest.fixture(scope="module")
def marines() -> Calibration:
    return learned(MARINES)


def look(calibration: Calibration, game: str, name: str, **more: Any) -> tuple[Any, View]:
    frame = evening.frame(game, name)
    view = calibration.finder().acquire(frame)
    return calibration.eye().look(frame, view, more.get("wanted")), view


def test_the_start_position_is_read_as_it_was_taught(kop: Calibration) -> None:
    sighting, _ = look(kop, KOP, "teach_s00")
    there = standing(KOP, "teach_s00")
    assert {space: belief.best for space, belief in sighting.beliefs.items() if belief.best != EMPTY} == there
    assert not sighting.hidden


def test_the_empty_board_is_seen_to_be_empty(kop: Calibration, marines: Calibration) -> None:
    for calibration, game in ((kop, KOP), (marines, MARINES)):
        sighting, _ = look(calibration, game, "empty_s00")
        assert {belief.best for belief in sighting.beliefs.values()} == {EMPTY}


def test_a_bumped_board_is_read_though_its_tags_stayed_behind(kop: Calibration) -> None:
    name = "bump_s06"
    there = standing(KOP, name)
    sighting, _ = look(kop, KOP, name, wanted={space: {content} for space, content in there.items()})
    assert {space: belief.best for space, belief in sighting.beliefs.items() if belief.best != EMPTY} == there


def test_another_lamp_changes_nothing_that_is_seen(kop: Calibration) -> None:
    name = "settled_s16"  # from step 11 on only a warm dim lamp burns
    there = standing(KOP, name)
    sighting, _ = look(kop, KOP, name, wanted={space: {content} for space, content in there.items()})
    where = {space for space, belief in sighting.beliefs.items() if belief.best != EMPTY}
    assert where == set(there)


def test_under_a_mug_nothing_is_claimed(kop: Calibration) -> None:
    name = "covered_s09"
    sighting, _ = look(kop, KOP, name)
    covered = evening.truth(KOP)[name]["covered_spaces"]
    well_covered = {space for space, share in covered.items() if share > 0.3}
    assert well_covered <= {space for space, belief in sighting.beliefs.items() if belief.hidden == "covered"}
    for space, belief in sighting.beliefs.items():
        if space not in covered and not belief.hidden:
            assert (belief.best == EMPTY) == (space not in standing(KOP, name)), space


def test_the_platform_is_read_to_the_step(marines: Calibration) -> None:
    for name in ("teach_s00", "bump_s09", "settled_s18"):
        sighting, _ = look(marines, MARINES, name)
        assert sighting.arrow.number == evening.truth(MARINES)[name]["platform"]["arrow"]


def test_men_on_white_circles_are_seen_in_their_colours(marines: Calibration) -> None:
    name = "settled_s18"  # the lamp is nearly out, daylight comes from one side
    there = standing(MARINES, name)
    sighting, _ = look(marines, MARINES, name)
    circles = [space.id for space in marines.board.of_kind("circle")]
    for circle in circles:
        colours = {mark.split("-")[0] for mark in there.get(circle, ())}
        assert {mark.split("-")[0] for mark in sighting.beliefs[circle].best} == colours, circle


def test_an_arm_over_the_board_hides_what_lies_under_it(marines: Calibration) -> None:
    name = "covered_s13"
    sighting, _ = look(marines, MARINES, name)
    covered = {space for space, share in evening.truth(MARINES)[name]["covered_spaces"].items() if share > 0.8}
    assert covered <= set(sighting.hidden)


def test_a_picture_that_has_not_changed_is_not_explained_again(kop: Calibration) -> None:
    frame = evening.frame(KOP, "teach_s00")
    view, eye, wanted = kop.finder().acquire(frame), kop.eye(), {}
    first = eye.look(frame, view, wanted)
    noise = np.random.default_rng(1).normal(0, 1, frame.shape)
    assert eye.look(np.clip(frame + noise, 0, 255).astype(np.uint8), view, wanted) is first
    moved = evening.frame(KOP, "settled_s16")
    assert eye.look(moved, view, wanted) is not first


def test_what_all_agreed_on_is_remembered_where_nothing_changed(kop: Calibration) -> None:
    frame = evening.frame(KOP, "teach_s00")
    view, eye = kop.finder().acquire(frame), kop.eye()
    port = "PORT-NewYork"
    before = eye.look(frame, view, {})
    eye.confirm(standing(KOP, "teach_s00"))
    after = eye.look(frame, view, {})
    assert after.beliefs["S01"].cost(("blue/advance",)) >= before.beliefs["S01"].cost(("blue/advance",))
    assert after.beliefs[port].best == ("blue/advance",)


# --- the file ---


def test_a_calibration_survives_its_file(kop: Calibration, tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    kop.save(file)
    back = load_calibration(file)
    assert back.view == kop.view
    assert back.board == kop.board
    assert set(back.pieces) == set(kop.pieces)
    assert set(back.tags) == set(kop.tags)
    sighting, _ = look(back, KOP, "teach_s00")
    seen = {space: belief.best for space, belief in sighting.beliefs.items() if belief.best != EMPTY}
    assert seen == standing(KOP, "teach_s00")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("view"),
        lambda data: data.update(calibration=99),
        lambda data: data.update(empty="not base64!"),
        lambda data: data.update(empty=""),
        lambda data: data.update(pieces=[{"mark": 1}]),
        lambda data: data["view"].update(lens=["x", 0]),
        lambda data: data["view"].update(turn=[0, 0]),
        lambda data: data["view"].update(size=[10, 10]),
        lambda data: data.update(tags={"a": 1}),
        lambda data: data.update(board={}),
        lambda data: data.update(noise=[]),
    ],
)
def test_a_damaged_calibration_is_one_clear_line(kop: Calibration, tmp_path: Path, damage: Any) -> None:
    data = kop.to_json()
    damage(data)
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(BadInput) as told:
        load_calibration(file)
    assert "\n" not in str(told.value)


def test_pictures_of_two_sizes_are_refused(kop: Calibration) -> None:
    frame = evening.frame(KOP, "empty_s00")
    with pytest.raises(BadInput, match="one size"):
        calibrate(kop.board, frame, frame[:-2], {"S01": ("blue",)})


def test_the_lamp_check_names_pieces_that_look_alike(kop: Calibration) -> None:
    assert lamp_check(kop) == []
    same = {**kop.pieces, "twin/advance": kop.pieces["blue/advance"]}
    twins = Calibration(kop.board, kop.view, kop.residual, kop.noise, _renamed(same), kop.tags, kop.picture)
    assert any("look alike" in line for line in lamp_check(twins))


def _renamed(pieces: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import replace

    return {mark: replace(piece, mark=mark) for mark, piece in pieces.items()}


def test_the_overlay_draws_over_the_board_and_nothing_else(kop: Calibration) -> None:
    name = "teach_s00"
    frame = evening.frame(KOP, name)
    sighting, view = look(kop, KOP, name)
    drawn = overlay(frame, view, kop.eye().flat, sighting)
    assert drawn.shape == frame.shape
    changed = np.argwhere((drawn != frame).any(-1))[:, ::-1]
    assert len(changed) > 1000
    width, height = kop.board.size_mm
    where = view.millimetres(changed.astype(float))
    assert (where > -40).all()
    assert (where < np.array([width, height]) + 40).all()
