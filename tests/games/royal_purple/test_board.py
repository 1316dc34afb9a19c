"""Boards are data: another layout needs only a file, and a file with faults is told what is missing."""

from __future__ import annotations

import json
import runpy
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.board import BadBoard, board_to_json, load_board
from companion.simulation import play_random
from tests.games.royal_purple.boards import TALL, board
from tests.games.royal_purple.table import GAME, after, at, ends, position

OURS = board_to_json(GAME.board())


def test_the_reconstruction_is_as_described() -> None:
    ours = GAME.board()
    assert len(ours.spaces) == 121
    assert len(ours.of_kind("noble")) == 24
    assert {s.id: s.links["go"] for s in ours.of_kind("go")} == {
        "b2": "e4", "j2": "g4", "b10": "e8", "j10": "g8", "d5": "a6", "h5": "k6", "d7": "a6", "h7": "k6",
    }  # fmt: skip
    assert ours.standing == "reconstruction"


def test_the_reconstruction_is_the_same_for_all_four_corners() -> None:
    ours = GAME.board()

    def mirrored(id: str, across: bool) -> str:
        space = ours.spaces[id]
        column, row = space.number("column"), space.number("row")
        image = ours.at(12 - column, row) if across else ours.at(column, 12 - row)
        assert image
        return image.id

    for across in (True, False):
        for space in ours.spaces.values():
            image = ours.spaces[mirrored(space.id, across)]
            assert ("noble" in space.kinds) == ("noble" in image.kinds)
            assert ("throne" in space.kinds) == ("throne" in image.kinds)
            if "go" in space.links:
                assert image.links["go"] == mirrored(space.links["go"], across)


def test_the_board_file_is_what_its_writer_writes() -> None:
    writer = runpy.run_path(str(Path(__file__).parents[3] / "hardware/boards/royal_purple.py"))
    spaces = json.loads((GAME.folder / "board-reconstruction.json").read_text("utf-8"))["spaces"]
    assert spaces == [writer["space"](s["id"]) for s in spaces]


def test_nine_by_thirteen_with_other_nobles_works_from_a_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "our-own.json"
    file.write_text(json.dumps(TALL), "utf-8")
    own = load_board(file)
    state = at("red", layout=TALL, throw={"red": 4})
    assert ends(state) == {"a2", "a3"}
    sent = after(at("red", {"red": "e2"}, layout=TALL, throw={"red": 1}), "red: move red-prince e2 > e3 (follow)")
    assert position(sent)["princes"]["red"] == "e6"
    for variant in GAME.variants:
        for seats in variant.seatings:
            played = play_random(GAME, GAME.terms(variant.name, seats, own), f"{variant.name} {len(seats)}")
            assert played.finished


def broken(change: Any) -> str:
    """What is said of our board after a change to its spaces, given by id."""
    data = deepcopy(OURS)
    change({s["id"]: s for s in data["spaces"]}, data)
    with pytest.raises(BadBoard) as error:
        GAME.board(board(data))
    return str(error.value)


def test_a_missing_castle_is_named() -> None:
    def change(spaces: dict[str, Any], data: Any) -> None:
        spaces["a11"].update(kinds=["plain"], facts={"column": 1, "row": 11})

    assert "needs one Castle (kind 'castle') with the owner blue, and this board has 0" in broken(change)


def test_a_castle_without_owner_or_out_of_place_is_named() -> None:
    def no_owner(spaces: dict[str, Any], data: Any) -> None:
        del spaces["a11"]["facts"]["owner"]

    def swapped(spaces: dict[str, Any], data: Any) -> None:
        spaces["a11"]["facts"]["owner"], spaces["k11"]["facts"]["owner"] = "yellow", "blue"

    assert "a11 is a Castle and needs an owner: red, blue, yellow, green" in broken(no_owner)
    assert "the Castles must be the corners of a rectangle" in broken(swapped)


def test_thrones_must_be_there_and_opposite_their_pair() -> None:
    def none(spaces: dict[str, Any], data: Any) -> None:
        spaces["f11"].update(kinds=["plain"])

    def no_side(spaces: dict[str, Any], data: Any) -> None:
        del spaces["f11"]["facts"]["side"]

    def near(spaces: dict[str, Any], data: Any) -> None:
        spaces["f11"]["facts"]["side"], spaces["f1"]["facts"]["side"] = "north", "south"

    assert "needs a Throne for the south pair" in broken(none)
    assert "f11 is a Throne and needs a side" in broken(no_side)
    assert "f1: the Throne of the south pair must lie on the edge opposite them" in broken(near)


def test_nobles_are_counted() -> None:
    def few(spaces: dict[str, Any], data: Any) -> None:
        for space in list(spaces.values()):
            if "noble" in space["kinds"] and space["id"] not in ("c3", "i3"):
                space["kinds"] = ["plain"]

    def castle(spaces: dict[str, Any], data: Any) -> None:
        spaces["a1"]["kinds"].append("noble")

    assert "needs 10 or more Noble squares" in broken(few)
    assert "a1 cannot be a Noble square as well as a Castle or Throne" in broken(castle)


def test_go_squares_name_where_they_send() -> None:
    def unlinked(spaces: dict[str, Any], data: Any) -> None:
        del spaces["b2"]["links"]

    def itself(spaces: dict[str, Any], data: Any) -> None:
        spaces["b2"]["links"]["go"] = "b2"

    def throne(spaces: dict[str, Any], data: Any) -> None:
        spaces["f1"].update(kinds=["throne", "go"], links={"go": "e4"})

    def both(spaces: dict[str, Any], data: Any) -> None:
        spaces["f1"]["kinds"].append("castle")

    assert "b2: a Go square has the kind 'go' and a link 'go'" in broken(unlinked)
    assert "b2: a Go square cannot send to itself" in broken(itself)
    assert "f1 cannot be a Go square and a Castle or Throne" in broken(throne)
    assert "f1 cannot be a Castle and a Throne" in broken(both)


def test_the_grid_has_no_gaps_in_its_numbers_and_every_prince_finds_a_way() -> None:
    def no_row(spaces: dict[str, Any], data: Any) -> None:
        del spaces["e6"]["facts"]["row"]

    def twice(spaces: dict[str, Any], data: Any) -> None:
        spaces["e6"]["facts"]["row"] = 7

    def moat(spaces: dict[str, Any], data: Any) -> None:
        data["spaces"] = [s for s in data["spaces"] if s["id"] not in ("a2", "b2", "b1")]

    assert "e6 needs a column and a row, as whole numbers" in broken(no_row)
    assert "e7 and e6 have the same column and row" in broken(twice)
    assert "no way leads from a1, the Castle of red" in broken(moat)


def test_any_damage_to_a_board_file_is_told_and_never_crashes() -> None:
    chance, told = Random(1), 0
    damages = ([], {}, ["castle"], ["throne"], ["go"], {"owner": "red"}, {"side": "east", "row": 3}, {"go": "a1"})
    for _ in range(300):
        data = deepcopy(OURS)
        for _ in range(chance.randint(1, 4)):
            chance.choice(data["spaces"])[chance.choice(("kinds", "facts", "links"))] = chance.choice(damages)
        try:
            GAME.board(board(data))
        except BadBoard as error:
            told += len(error.problems)
    assert told > 300
