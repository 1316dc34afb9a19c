"""Boards of The Royal Game: another layout is another file, and whoever maps one is told what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from companion.board import BadBoard, Board, board_from_json, board_to_json, load_board
from companion.games.royal_game import GAME
from companion.shapes import disc, write_board
from companion.simulation import play_random
from tests.games.royal_game.at_the_table import TWO, legal, moved, on, scene, thrown

RIGHTWARDS = ("red", "green", "yellow", "blue")
SECTION, LANE = 15, 5


def ring() -> dict[str, Any]:
    """Sixty spaces in one ring, five to a lane, the small circles elsewhere: a different copy of the game."""
    spaces: list[dict[str, Any]] = [{"id": "centre", "kinds": ["home"]}]
    for quarter, owner in enumerate(RIGHTWARDS):
        neighbour = RIGHTWARDS[(quarter + 1) % 4]
        for offset in range(SECTION):
            number = SECTION * quarter + offset
            space: dict[str, Any] = {"id": f"r{number}", "kinds": ["road"], "links": {"next": f"r{(number + 1) % (4 * SECTION)}"}}
            if offset == 0:
                space |= {"kinds": ["road", "safe", "entering"], "facts": {"owner": owner}}
            if offset == 5:
                space["kinds"].append("safe")
            if offset == 10:
                space["links"][f"lane-{neighbour}"] = f"{neighbour}.1"
            spaces.append(space)
        for step in range(1, LANE + 1):
            onward = f"{owner}.{step + 1}" if step < LANE else "centre"
            spaces.append({"id": f"{owner}.{step}", "kinds": ["lane"], "facts": {"owner": owner}, "links": {"next": onward}})
        spaces.append({"id": f"{owner}.out", "kinds": ["start"], "facts": {"owner": owner}})
    for number, space in enumerate(spaces):
        space |= {"outline": disc(20 + 30 * (number % 12), 20 + 30 * (number // 12), 12), "standing": "own copy"}
    return {
        "game": "royal_game", "name": "ring", "title": "Our own ring", "standing": "own copy", "size_mm": [400, 400],
        "art": {}, "notes": [], "spaces": spaces,
    }  # fmt: skip


@pytest.fixture
def other(tmp_path: Path) -> Board:
    write_board(tmp_path / "ring.json", ring())
    return GAME.board(load_board(tmp_path / "ring.json"))


@pytest.mark.rule("RG-A01")
@pytest.mark.parametrize("variant", ["one_die", "two_dice"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_on_another_board_are_played_to_their_end(other: Board, variant: str, players: int) -> None:
    for seed in range(3):
        assert play_random(GAME, GAME.terms(variant, players, other), seed).finished


def test_the_road_the_lane_and_the_circles_are_those_of_the_file(other: Board) -> None:
    assert legal(thrown(scene(board=other, red="r54"), 4)) == {"r54 > red.3"}
    assert on(moved(thrown(scene(board=other, red="red.3"), 3), "red.3 > centre"), "red")[-1] == "centre"
    assert legal(thrown(scene(board=other, red="r1 r30", blue="r5"), 4)) == {"r30 > r34"}
    assert legal(thrown(scene(board=other, red="r3", blue="r7"), 4)) == {"r3 > r7", "pass"}  # no small circle here


def test_entering_and_lanes_of_the_other_seats_follow_the_file_too(other: Board) -> None:
    state = moved(thrown(scene(board=other, turn="yellow"), 5), "enter")
    assert on(state, "yellow")[-1] == "r30"
    assert legal(thrown(scene(TWO, board=other, turn="yellow", yellow="r25"), 1, 2)) == {"r25 > yellow.1", "r25 > yellow.2"}


def test_our_reconstruction_has_the_spaces_that_it_says() -> None:
    board = GAME.board()
    assert len(board.of_kind("road")) == 68
    assert len(board.of_kind("safe")) == 12
    assert len(board.of_kind("lane")) == 28
    assert board.size_mm == (480, 480)
    assert {s.standing for s in board.of_kind("safe")} == {"reconstruction"}
    road = GAME.set_up(GAME.terms()).ground.roads[0]
    assert (road.foot, road.home) == (63, 71)


def test_no_two_spaces_of_our_reconstruction_lie_on_each_other() -> None:
    spaces = list(GAME.board().spaces.values())
    for number, space in enumerate(spaces):
        for other in spaces[:number]:
            (x0, y0), (x1, y1) = space.centre, other.centre
            assert abs(x0 - x1) > 20 or abs(y0 - y1) > 20, f"{space.id} and {other.id}"


def changed(how: Callable[[dict[str, dict[str, Any]]], object]) -> Board:
    """Our board's file, with something wrong in it."""
    data = deepcopy(board_to_json(GAME.board()))
    by_id = {space["id"]: space for space in data["spaces"]}
    how(by_id)
    data["spaces"] = list(by_id.values())
    return board_from_json(json.loads(json.dumps(data)))


def lane_begins_at_the_entering_circle(spaces: dict[str, dict[str, Any]]) -> None:
    spaces["T00"]["links"]["lane-red"] = spaces["T63"]["links"].pop("lane-red")


def lane_crosses_the_road(spaces: dict[str, dict[str, Any]]) -> None:
    spaces["red-3"]["links"]["next"] = "T64"
    spaces["T64"]["links"]["next"] = "home"


def road_crosses_a_start_circle(spaces: dict[str, dict[str, Any]]) -> None:
    spaces["T05"]["links"]["next"] = "red-start"
    spaces["red-start"]["links"] = {"next": "T06"}


WRONG: list[tuple[Callable[[dict[str, dict[str, Any]]], object], str]] = [
    (lambda s: s.pop("red-start"), "needs one start circle for red (kind 'start', fact owner red), and this board has 0"),
    (lambda s: s["T17"]["facts"].update(owner="red"), "needs one entering circle for green"),
    (lambda s: s["home"].update(kinds=["road"]), "needs one Home (kind 'home'), and this board has 0"),
    (lambda s: s["T00"].update(kinds=["road", "entering"]), "T00 is an entering circle, so it must be on the road"),
    (lambda s: s["T05"].update(kinds=["safe"]), "T05 must be exactly one of road, lane, start or home"),
    (lambda s: s["T63"]["links"].pop("lane-red"), "red's road never turns off"),
    (lambda s: s["T30"]["links"].pop("next"), "road never turns off"),
    (lambda s: s["red-7"]["links"].pop("next"), "red's road ends on red-7 instead of Home"),
    (lambda s: s["red-3"]["links"].update(next="red-2"), "red's road ends on red-3 instead of Home"),
    (lambda s: s["red-2"]["facts"].update(owner="blue"), "red-2 is in red's lane, so its owner must be red"),
    (lane_begins_at_the_entering_circle, "T00 is red's entering circle, so red's lane must turn off before it"),
    (lane_crosses_the_road, "red's lane must lead to Home without touching the road again"),
    (road_crosses_a_start_circle, "red-start is a start circle and cannot be on red's road"),
]


@pytest.mark.parametrize(("how", "message"), WRONG, ids=[message for _, message in WRONG])
def test_whoever_maps_a_board_is_told_what_is_missing(how: Callable[[dict[str, dict[str, Any]]], object], message: str) -> None:
    with pytest.raises(BadBoard) as error:
        GAME.board(changed(how))
    assert any(message in problem for problem in error.value.problems), error.value.problems


@pytest.mark.rule("RG-A50")
def test_the_foot_of_a_lane_comes_before_its_owners_entering_circle_is_reached_again() -> None:
    late = changed(lambda s: (s["T63"]["links"].pop("lane-red"), s["T03"]["links"].update({"lane-red": "red-1"})))
    road = GAME.set_up(GAME.terms(board=late)).ground.roads[0]
    assert road.spaces.count("T00") == 1  # wherever it turns off, it passes its circle once
