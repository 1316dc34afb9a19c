"""The leaflet's worked chart, statement by statement: the arrow points at 31."""

from __future__ import annotations

import pytest

from tests.games.fighting_marines.scene import accepted, captives, on, play, refused, scene

CHART = {
    "B17": "black-private", "B26": "yellow-private", "P39": "red-private", "B30": "yellow-private", "B32": "yellow-private",
    "B41": "green-private", "B02": "red-private", "P15": "green-private", "B08": "red-private", "P21": "black-private",
    "B10": "red-private",
}  # fmt: skip


def test_chart_space_17_black_cannot_move_as_the_space_is_not_his_own_colour() -> None:
    assert refused(scene(men=CHART), "black: land black-private B17 > P30") == ("FM-19", "FM-26")


@pytest.mark.rule("FM-28")
def test_chart_space_26_yellow_can_move_onto_the_red_space_and_capture_the_red_man() -> None:
    verdict = accepted(scene(men=CHART), "yellow: capture yellow-private B26 > P39")
    assert captives(verdict.state) == [("red-private", "yellow")]
    assert on(verdict.state, "P39") == ["yellow-private"]
    assert "FM-28" in verdict.rules


def test_chart_space_30_yellow_can_move_onto_neutral() -> None:
    assert "FM-21" in accepted(scene(men=CHART), "yellow: land yellow-private B30 > P43").rules


def test_chart_space_32_yellow_can_move_as_the_connecting_space_is_his_own_colour() -> None:
    assert "FM-19" in accepted(scene(men=CHART), "yellow: land yellow-private B32 > P01").rules


def test_chart_space_41_green_cannot_move_as_the_space_in_front_is_not_his_own_colour() -> None:
    assert refused(scene(men=CHART), "green: land green-private B41 > P10") == ("FM-19", "FM-26")


def test_chart_space_2_red_can_capture_the_green_man_on_the_black_space() -> None:
    state = scene(men=CHART)
    assert state.ground.spaces[state.ground.index["P15"]].facts["colour"] == "black"
    assert "FM-28" in accepted(state, "red: capture red-private B02 > P15").rules


def test_chart_space_8_red_cannot_capture_black_in_neutral_but_can_move_onto_neutral() -> None:
    state = scene(men=CHART)
    assert refused(state, "red: capture red-private B08 > P21") == ("FM-27",)
    assert on(play(state, "red: land red-private B08 > P21"), "P21") == ["black-private", "red-private"]


def test_chart_space_10_red_can_move_as_the_adjoining_space_is_his_own_colour() -> None:
    assert "FM-19" in accepted(scene(men=CHART), "red: land red-private B10 > P23").rules


def test_the_chart_follows_from_the_board_alone() -> None:
    """What the eight statements say of the platform, read from the board's own tables."""
    ground = scene(men=CHART).ground
    front = {number: ground.spaces[ground.facing(ground.base[number], 31)] for number in (17, 26, 30, 32, 41, 2, 8, 10)}
    assert [front[number].facts.get("colour") for number in (26, 32, 2, 10)] == ["red", "yellow", "black", "red"]
    assert front[17].facts["colour"] != "black"
    assert front[41].facts["colour"] != "green"
    assert "neutral" in front[30].kinds
    assert "neutral" in front[8].kinds
