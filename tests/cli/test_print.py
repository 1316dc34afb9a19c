"""companion print, as a person calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.board import board_to_json
from companion.games import find_game
from tests.cli.conftest import Run
from tests.printing.scan import page_sizes, texts


def test_a_hostile_title_is_printed_and_harms_nothing(tmp_path: Path, run: Run) -> None:
    title = "<svg>&\\)(%s 🎲 " + "W" * 90
    file = tmp_path / "board.json"
    file.write_text(json.dumps(board_to_json(find_game("siege").board()) | {"title": title}), "utf-8")
    answer = run("print", "board", str(file), "--out", str(tmp_path / "board.pdf"))
    assert answer.exit_code == 0, answer.output
    assert "<svg>&" in "".join(texts((tmp_path / "board.pdf").read_bytes()))


def test_all_of_a_game_is_written_by_one_command(tmp_path: Path, run: Run) -> None:
    assert run("print", "all", "siege", "--paper", "letter", "--folder", str(tmp_path)).exit_code == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["siege-board.pdf", "siege-cards.pdf", "siege-pieces.pdf"]
    assert page_sizes((tmp_path / "siege-cards.pdf").read_bytes())[0] == pytest.approx((215.9, 279.4), abs=0.02)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("frame", "10x10"), "each side of the board must have 40 to 3000 mm"),
        (("frame", "99999x100"), "40 to 3000 mm"),
        (("frame", "wide"), "game"),
        (("board", "chess"), "game"),
        (("cards", "siege", "--out", "/no/such/folder/x.pdf"), "cannot be written"),
        (("board", "siege", "--paper", "napkin"), "not one of"),
    ],
)
def test_bad_wishes_get_one_clear_line(run: Run, words: tuple[str, ...], says: str) -> None:
    answer = run("print", *words)
    assert answer.exit_code == 2
    assert says in answer.output
    assert "Traceback" not in answer.output
