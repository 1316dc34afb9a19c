"""companion check: what it answers, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

LEAP = {
    "game": "siege",
    "position": {"to_move": "attacker", "knights": ["b3"], "defenders": ["d4"], "commander": "d6"},
    "move": "move knight b3 > c5",
}


def changed(**fields: Any) -> dict[str, Any]:
    return LEAP | fields


def test_a_legal_move_exits_with_0_and_says_what_to_do_on_the_board(run: Run) -> None:
    result = run("check", "-", stdin=LEAP)
    assert result.exit_code == 0
    assert "LEGAL" in result.output
    assert "Move the Knight from b3 to c5" in result.output


def test_an_illegal_move_exits_with_1_cites_the_rule_and_lists_what_is_legal(run: Run) -> None:
    result = run("check", "-", stdin=changed(move="move knight b3 > c1"))
    assert result.exit_code == 1
    assert "SG-13" in result.output
    assert "Legal would be: attacker: move knight b3 > d4" in result.output


def test_a_move_on_which_the_leaflet_is_silent_exits_with_3_and_offers_the_readings(run: Run) -> None:
    backwards = changed(position=LEAP["position"] | {"knights": ["b5"]}, move="move knight b5 > d4")
    result = run("check", "-", stdin=backwards)
    assert result.exit_code == 3
    assert "back_into_castle=all (our default)" in result.output


def test_a_reading_that_the_table_chose_decides_it(run: Run) -> None:
    backwards = changed(position=LEAP["position"] | {"knights": ["b5"]}, move="move knight b5 > d4")
    for reading, code in (("all", 0), ("only_two_back_one_side", 1)):
        result = run("check", "-", stdin=backwards | {"readings": {"back_into_castle": reading}})
        assert result.exit_code == code
    assert run("check", "-", "--defaults", stdin=backwards).exit_code == 0


def test_json_answers_hold_verdict_citations_explanation_and_legal_moves(run: Run) -> None:
    result = run(
        "check",
        "-",
        "--json",
        stdin=changed(move={"seat": "attacker", "do": "move", "piece": "knight", "from": "b3", "to": "b4"}),
    )
    (ruling,) = json.loads(result.stdout)
    assert result.exit_code == 1
    assert ruling["status"] == "refused"
    assert ruling["citations"] == ["SG-11", "SG-12"]
    assert ruling["rules"]["SG-11"]
    assert {"seat": "attacker", "do": "move", "piece": "knight", "from": "b3", "to": "c5"} in ruling["legal"]


def test_a_list_of_moves_is_ruled_on_in_order_up_to_the_first_that_is_not_legal(run: Run) -> None:
    moves = ["move knight b3 > c5", "move commander d6 > c5", "defender: move commander c5 > d4", "move knight b3 > c5"]
    result = run("check", "-", "--json", "--defaults", stdin={k: v for k, v in LEAP.items() if k != "move"} | {"moves": moves})
    rulings = json.loads(result.stdout)
    assert [r["status"] for r in rulings] == ["accepted", "accepted", "refused"]
    assert result.exit_code == 1


def test_a_file_is_read_like_standard_input(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "dispute.json"
    file.write_text(json.dumps(LEAP))
    assert run("check", str(file)).exit_code == 0


NONSENSE = {
    "broken JSON": ("{", "not JSON"),
    "nothing": ("", "not JSON"),
    "not UTF-8": (b"\xff\xfe\x00", "UTF-8"),
    "a list": ("[]", "one object"),
    "nested a hundred thousand deep": ("[" * 100_000, "file:"),
    "no game": ({}, "game: missing"),
    "unknown game": ({"game": "chess"}, "game: 'chess' is not known"),
    "a game that is a number": ({"game": 7}, "game: 7 is not known"),
    "unknown field": (changed(colour="red"), "'colour' is not known"),
    "unknown variant": (changed(variant="blitz"), "variant: 'blitz'"),
    "wrong number of seats": (changed(seats=3), "for 2 players, not 3"),
    "unknown seat": (changed(seats=["attacker", "umpire"]), "seats: 'umpire'"),
    "a seat twice": (changed(seats=["attacker", "attacker"]), "named twice"),
    "seats as text": (changed(seats="two"), "seats: must be"),
    "unknown reading": (changed(readings={"gravity": "off"}), "reading: 'gravity'"),
    "unknown value of a reading": (changed(readings={"draw": "maybe"}), "reading draw: 'maybe'"),
    "readings as a list": (changed(readings=["draw"]), "readings: must"),
    "unknown option": (changed(options={"stake": "9"}), "option: 'stake'"),
    "unknown board": (changed(board="marble"), "board: 'marble'"),
    "a board that is a number": (changed(board=5), "board: must be"),
    "a board that is empty": (changed(board={}), "board: size_mm"),
    "a position that is a list": (changed(position=[]), "position: must be"),
    "unknown field in the position": (changed(position={"king": "e1"}), "'king' is not known"),
    "unknown space": (changed(position=LEAP["position"] | {"commander": "z9"}), "commander: 'z9'"),
    "a fifth Knight": (changed(position=LEAP["position"] | {"knights": ["a1", "b1", "c1", "d1", "e1"]}), "only 4, not 5"),
    "unknown piece": (changed(move="move dragon b3 > c5"), "'dragon' is not known"),
    "unknown space in the move": (changed(move="move knight b3 > z9"), "to: 'z9'"),
    "unknown kind of move": (changed(move="castle"), "move: 'castle'"),
    "a move that is a number": (changed(move=5), "an event must be"),
    "a move of nobody": (changed(move="umpire: move knight b3 > c5"), "'umpire' is not a seat"),
    "no move": ({k: v for k, v in LEAP.items() if k != "move"}, "move: missing"),
    "a 7 on a die": (changed(roll=[7]), "roll: a die shows 1 to 6, not 7"),
    "half a die": (changed(roll=[2.5]), "roll: a die shows 1 to 6, not 2.5"),
    "a hundred dice": (changed(roll=[1] * 100), "one to eight dice, not 100"),
    "a hundred thousand moves": (changed(moves=["pass"] * 100_000), "at most 1000 moves"),
    "an endless name": (changed(move="x" * 1_000_000), "too long"),
    "control characters": (changed(move="\x1b[2J\x00"), "move:"),
}


@pytest.mark.parametrize(("given", "said"), NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_gets_one_clear_line_that_names_the_field_and_exit_code_2(run: Run, given: object, said: str) -> None:
    result = run("check", "-", stdin=given)
    assert result.exit_code == 2
    *_, line = result.stderr.strip().splitlines()
    assert line.startswith("Error: ")
    assert said in line
    assert len(line) < 900
    assert "\x1b" not in line
    assert "Traceback" not in result.output


@pytest.mark.parametrize("file", ["/nowhere/at/all.json", "/"])
def test_a_file_that_cannot_be_read_is_named(run: Run, file: str) -> None:
    result = run("check", file)
    assert result.exit_code == 2
    assert f"'{file}': cannot be read" in result.stderr
