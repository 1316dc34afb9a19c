"""companion play: a game at one keyboard."""

from __future__ import annotations

import json
from pathlib import Path

from companion.record import record_from_json
from tests.cli.conftest import Run


def test_a_move_can_be_picked_by_number_or_written_and_a_refusal_is_explained(run: Run) -> None:
    result = run("play", "siege", stdin="1\nmove knight c0 > c1\nmove knight c0 > d2\nquit\n")
    assert result.exit_code == 0
    assert "The Commander stands on d6" in result.output
    assert "NOT LEGAL   attacker: move knight c0 > c1" in result.output
    assert "SG-11" in result.output
    assert "Due: Defender" in result.output


def test_taking_back_brings_the_last_position_again(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run("play", "siege", "--save", file, stdin="1\nmove knight c0 > d2\nback\nquit\n")
    record = record_from_json(json.loads(Path(file).read_text()))
    assert [e.do for e in record.events] == ["place"]  # type: ignore[union-attr]


def test_a_saved_game_is_resumed_where_it_stood(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    run("play", "siege", stdin=f"1\nmove knight c0 > d2\nsave {file}\nquit\n")
    result = run("play", "--resume", file, stdin="quit\n")
    assert "Due: Defender" in result.output


def test_a_file_that_cannot_be_written_does_not_end_the_game(run: Run) -> None:
    result = run("play", "siege", stdin="save /nowhere/game.json\n1\nquit\n")
    assert "Not saved: '/nowhere/game.json' cannot be written" in result.output
    assert "The Commander stands on d6" in result.output


def test_a_resumed_file_with_an_illegal_event_is_refused_with_its_number(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("play", "siege", "--save", str(file), stdin="1\nmove knight c0 > d2\nquit\n")
    data = json.loads(file.read_text())
    data["events"][1]["to"] = "c1"
    file.write_text(json.dumps(data))
    result = run("play", "--resume", str(file), stdin="quit\n")
    assert result.exit_code == 2
    assert "events: number 2 is refused" in result.stderr


def test_nonsense_at_the_prompt_is_answered_and_the_game_goes_on(run: Run) -> None:
    lines = [
        "99",
        "hello",
        "rule XX-99",
        "roll 7",
        "roll",
        "umpire: pass",
        "save",
        "back",
        "?",
        "",
        "\x1b[A",
        "x" * 5000,
        "rule SG-17",
        "quit",
    ]
    result = run("play", "siege", stdin="\n".join(lines) + "\n")
    assert result.exit_code == 0
    for said in (
        "no move number 99",
        "'hello' is not known",
        "XX-99 is not in this rulebook",
        "1 to 6, not",
        "'umpire' is no seat",
    ):
        assert said in result.output


def test_without_a_game_the_games_are_offered(run: Run) -> None:
    result = run("play", stdin="1\nquit\n")
    assert "Which game" in result.output
    assert result.exit_code == 0


def test_the_end_of_input_leaves_the_game_quietly(run: Run) -> None:
    result = run("play", "siege", stdin="1\n")
    assert "Traceback" not in result.output
