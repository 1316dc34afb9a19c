"""Another board of Siege is another file; and a board that cannot be played on is refused with everything that it misses."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from companion import shapes
from companion.board import BadBoard, board_from_json
from companion.games.siege import GAME
from companion.simulation import play_random
from tests.games.siege.layouts import COURT, LARGE, drawn, written
from tests.games.siege.table import after, ends, is_legal, refused_by, start, table

FIVE_WIDE = [
    "gcKKccg",
    "gcccccg",
    "gcDDccg",
    "gcDDccg",
    "gcccccg",
    "ggggggg",
    ".ssss..",
]


def test_the_board_file_is_what_its_script_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    wrote: dict[str, Any] = {}
    monkeypatch.setattr(shapes, "write_board", lambda path, board: wrote.update(board))
    runpy.run_path(str(Path(__file__).parents[3] / "hardware/boards/siege.py"), run_name="__main__")
    again = board_from_json(wrote)
    assert {id: (s.kinds, s.facts, s.outline) for id, s in again.spaces.items()} == {
        id: (s.kinds, s.facts, s.outline) for id, s in GAME.board().spaces.items()
    }


@pytest.mark.parametrize("readings", [{}, {"draw": "never", "castle_wall": "orthogonal_crossing_only"}])
def test_a_larger_board_with_other_squares_is_played_without_any_change_of_code(tmp_path: Path, readings: dict[str, str]) -> None:
    board = GAME.board(written(tmp_path / "board-ours.json", LARGE))
    assert len(board.spaces) == 84
    assert ends(start("e6", board), "knight", "b0") == {"a2", "c2", "d1"}
    assert is_legal(table("b0", "d3", "e6", "defender", board=board), "defender d3 > c2")
    for seed in range(20):
        played = play_random(GAME, GAME.terms(board=board, readings=readings), f"large {seed}", most_events=3000)
        assert played.finished or readings.get("draw") == "never"


def test_threefold_repetition_is_seen_on_a_board_of_more_than_64_squares(tmp_path: Path) -> None:
    board = written(tmp_path / "board-ours.json", LARGE)
    state = table("d3", "", "g7", board=board)
    circle = ["knight d3 > e5", "commander g7 > f6", "knight e5 > d3", "commander f6 > g7"]
    assert not is_legal(after(state, *circle), "attacker: draw")
    assert is_legal(after(state, *circle * 2), "attacker: draw")


def test_the_commander_does_not_cross_what_is_not_castle(tmp_path: Path) -> None:
    board = written(tmp_path / "board-ours.json", COURT)
    state = table("a1", "", "c6", "defender", board=board)
    assert "SG-25" in refused_by(state, "commander c6 > f3"), "over the court"
    assert refused_by(state, "commander c6 > d5") == {"SG-25"}
    assert ends(table("a1", "", "d6", "defender", board=board), "commander", "d6") == {"c5", "e5", "f4", "e6"}


def test_the_commander_moves_at_most_three_squares_in_a_larger_castle(tmp_path: Path) -> None:
    board = written(tmp_path / "board-ours.json", FIVE_WIDE)
    state = table("a1", "", "b2", "defender", board=board)
    assert ends(state, "commander", "b2") == {"c3", "d4", "e5"}
    assert refused_by(state, "commander b2 > f6") == {"SG-27"}


def mapped(change: Any = None, rows: list[str] = FIVE_WIDE) -> dict[str, Any]:
    board = drawn(rows)
    if change:
        change({space["id"]: space for space in board["spaces"]}, board)
    return board


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([*FIVE_WIDE[:-1], ".sssg.."], "needs 4 Knights' squares with black dots (kind 'start'), and this board has 3"),
        ([FIVE_WIDE[0], "gcDcccg", *FIVE_WIDE[2:]], "needs 4 dotted Castle squares (kind 'dot'), and this board has 5"),
        (["gcKcccg", *FIVE_WIDE[1:]], "needs 2 Crown squares (kind 'crown'), and this board has 1"),
        (["gcKcKcg", *FIVE_WIDE[1:]], "the two Crown squares must be neighbours in one row"),
        (["gcKcccg", "gcKcccg", *FIVE_WIDE[2:]], "the two Crown squares must be neighbours in one row"),
        (FIVE_WIDE[::-1], "must lie in front of the Castle: rows are counted from the Attacker"),
    ],
)  # fmt: skip
def test_a_board_that_misses_something_is_refused_with_what_it_misses(rows: list[str], problem: str) -> None:
    with pytest.raises(BadBoard) as error:
        GAME.board(board_from_json(mapped(rows=rows)))
    assert any(problem in told for told in error.value.problems), error.value.problems


def without_row(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    del spaces["a1"]["facts"]["row"]


def with_a_word_for_a_row(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["a1"]["facts"]["row"] = "first"


def of_no_colour(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["a1"]["kinds"] = []


def of_two_colours(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["a1"]["kinds"] = ["green", "blue"]


def crown_outside(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["c6"]["kinds"] = ["green", "crown"]


def dotted_crown(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["c6"]["kinds"].append("dot")


def blue_start(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["b0"]["kinds"] = ["blue", "start"]


def twice_the_same_place(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    spaces["a1"]["facts"] = dict(spaces["b1"]["facts"])


def of_another_game(spaces: dict[str, Any], board: dict[str, Any]) -> None:
    board["game"] = "chess"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (without_row, "a1 needs a column and a row, as whole numbers"),
        (with_a_word_for_a_row, "a1 needs a column and a row, as whole numbers"),
        (of_no_colour, "a1 must be exactly one of green, blue or castle"),
        (of_two_colours, "a1 must be exactly one of green, blue or castle"),
        (crown_outside, "c6 has a dot or a Crown but is not in the Castle"),
        (dotted_crown, "c6 is a Crown square and cannot have a dot too"),
        (blue_start, "b0 is a Knights' square and must be green"),
        (twice_the_same_place, "b1 and a1 have the same column and row"),
        (of_another_game, "it is a board for 'chess', not for siege"),
    ],
)
def test_each_fault_of_a_square_is_named(change: Any, problem: str) -> None:
    with pytest.raises(BadBoard) as error:
        GAME.board(board_from_json(mapped(change)))
    assert problem in error.value.problems


def test_a_sound_board_has_no_problems() -> None:
    assert GAME.board_problems(board_from_json(mapped())) == []
