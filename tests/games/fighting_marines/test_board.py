"""Boards are data: another layout of the same game is another file, and the validator says what one misses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.board import BadBoard, board_from_json, board_to_json, load_board
from companion.game import state_from_json, state_to_json
from companion.notation import from_text, to_text
from companion.ruling import Accepted
from companion.simulation import play_random
from tests.games.fighting_marines.scene import GAME


def own() -> dict[str, Any]:
    return board_to_json(GAME.board())


def space(board: dict[str, Any], id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(s for s in board["spaces"] if s["id"] == id)
    return found


def other_layout() -> dict[str, Any]:
    """Colours in another order on the platform, Neutral spaces side by side, and other circles; sections begin elsewhere."""
    board = own()
    board |= {"name": "grandmother", "title": "Grandmother's board", "standing": "own copy"}
    colours = ("yellow", "green", "red", "black")
    for number in range(1, 45):
        section, offset = divmod((number + 2) % 44, 11)
        base = space(board, f"B{number:02}")
        base["facts"] = {"number": number, "colour": colours[section]}
        base["kinds"] = ["base"] + ["circle"] * (offset in (0, 1, 4, 7, 9))
    letters = "A" + "NN" + "red " * 11 + "black " * 10 + "green " * 10 + "yellow " * 10
    plain = letters[3:].split()
    for place in range(44):
        on_platform = space(board, f"P{place:02}")
        on_platform["kinds"] = ["platform"] + (["arrow"] if place == 0 else ["neutral"] if place < 3 else [])
        on_platform["facts"] = {"place": place} | ({"colour": plain[place - 3]} if place >= 3 else {})
    return board


def test_another_layout_works_by_writing_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board-grandmother.json"
    path.write_text(json.dumps(other_layout()), "utf-8")
    board = GAME.board(load_board(path))
    terms = GAME.terms(board=board)
    state = GAME.set_up(terms)
    # Red's section is 20 to 30 here; his circles are 20, 21, 24, 27 and 29.
    circles = [s.space for s in GAME.layout(state).standing if s.piece == "red-private"]
    assert circles == ["B20", "B21", "B24", "B27", "B29"]
    forms = GAME.forms(terms)
    lines = ("red: roll 6 6", "black: roll 1 1", "yellow: roll 1 1", "green: roll 1 1", "red: roll 6 6", "red: turn > B12")
    for line in lines:
        seat, _, text = line.partition(": ")
        verdict = GAME.rule(state, from_text(text, seat, forms))
        assert isinstance(verdict, Accepted)
        state = verdict.state
    # The arrow at 12: red platform spaces 3 to 13 lie in front of 15 to 25.
    landings = [to_text(move) for move in GAME.legal_moves(state) if move.seat == "red" and move.do == "land"]
    assert landings == ["land red-private B20 > P08", "land red-private B21 > P09", "land red-private B24 > P12"]
    again = state_from_json(GAME, state_to_json(GAME, state, whole_board=True))
    assert GAME.legal_moves(again) == GAME.legal_moves(state)


@pytest.mark.parametrize(("variant", "players"), [("standard", 4), ("standard", 3), ("two_players", 2)])
def test_whole_games_are_played_on_another_layout(variant: str, players: int) -> None:
    terms = GAME.terms(variant, players, board=board_from_json(other_layout()))
    for seed in range(3):
        assert play_random(GAME, terms, seed, most_events=5000).finished


def problems(change: Any) -> str:
    board = own()
    change(board)
    with pytest.raises(BadBoard) as caught:
        GAME.board(board_from_json(board))
    return "; ".join(caught.value.problems)


def drop(id: str) -> Any:
    return lambda board: board["spaces"].remove(space(board, id))


def replace(id: str, **fields: Any) -> Any:
    return lambda board: space(board, id).update(fields)


MISSING = [
    (drop("B17"), "the base needs 44 spaces with a number from 1 to 44; 17 is missing"),
    (drop("P00"), "the platform needs 44 spaces with a place from 0 to 43; 0 is missing"),
    (replace("B17", facts={"number": 18, "colour": "black"}), "17 is missing"),
    (replace("B17", facts={"number": 17, "colour": "blue"}), "B17 needs a colour: red, black, yellow, green"),
    (replace("B17", facts={"number": 17, "colour": "red"}), "the black section needs 11 base spaces, and this board has 10"),
    (replace("B17", kinds=["base"]), "the black section needs 5 circles, and this board has 4"),
    (replace("B18", kinds=["base", "circle"]), "the black section needs 5 circles, and this board has 6"),
    (replace("B17", kinds=["circle"]), "B17 must be exactly one of base, platform or insignia"),
    (replace("P01", kinds=["platform", "circle"]), "P01 is a circle and must be on the base"),
    (replace("P21", kinds=["platform"]), "P21 needs a colour: red, black, yellow, green"),
    (replace("P21", kinds=["platform"]), "P21 needs a colour"),
    (replace("P00", kinds=["platform", "neutral"]), "the platform needs 1 space of kind 'arrow', and this board has 0"),
    (replace("P21", kinds=["platform", "neutral", "arrow"]), "P21 cannot be both the arrow and neutral"),
    (replace("B01", kinds=["base", "neutral"]), "B01 is of kind 'neutral' and must be on the platform"),
    (replace("P21", facts={"place": 21, "colour": "red"}), "P21 is the arrow or neutral and must have no colour"),
    (replace("P20", facts={"place": 20}), "P20 needs a colour"),
    (drop("red-colonel"), "the red corner needs 1 insignia for a colonel, and this board has 0"),
    (replace("red-colonel", facts={"colour": "red", "rank": "captain"}), "2 insignia for a captain, and this board has 3"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), MISSING, ids=[message for _, message in MISSING])
def test_the_validator_says_what_a_board_misses(change: Any, message: str) -> None:
    assert message in problems(change)


def test_a_section_must_lie_in_one_piece() -> None:
    def swap(board: dict[str, Any]) -> None:
        space(board, "B05")["facts"]["colour"], space(board, "B25")["facts"]["colour"] = "yellow", "red"

    assert "the spaces of each section must lie side by side" in problems(swap)


def test_a_space_too_many_is_named() -> None:
    def add(board: dict[str, Any]) -> None:
        board["spaces"].append(space(board, "B17") | {"id": "B17b"})

    assert "the base has 45 spaces; Fighting Marines has 44" in problems(add)


def test_a_board_of_another_game_is_refused() -> None:
    with pytest.raises(BadBoard, match="it is a board for 'siege', not for fighting_marines"):
        GAME.board(board_from_json(own() | {"game": "siege"}))


def test_the_outlines_lie_where_the_corners_of_the_table_are() -> None:
    """Black top left, Yellow top right, Green bottom right, Red bottom left; platform spaces lie inside the base."""
    board = GAME.board()
    corners = {"red": (False, True), "black": (False, False), "yellow": (True, False), "green": (True, True)}
    for colour, (right, low) in corners.items():
        for where in board.spaces.values():
            if where.facts.get("colour") == colour and "platform" not in where.kinds:
                x, y = where.centre
                assert (x > 240, y > 240) == (right, low), where.id
    for number in range(1, 45):  # with the arrow at 44, platform space k lies in front of base space k
        (bx, by), (px, py) = board.spaces[f"B{number:02}"].centre, board.spaces[f"P{number % 44:02}"].centre
        assert abs((bx - 240) * (py - 240) - (by - 240) * (px - 240)) < 200
        assert (bx - 240) * (px - 240) + (by - 240) * (py - 240) > 0
