"""A whole evening by keyboard: complete without camera and phones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.console import HELP, Console
from companion.journal import Journal
from companion.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(Journal.open(tmp_path / "table.journal")) as table:
        yield table


@pytest.fixture
def console(table: Table) -> Console:
    return Console(table, lambda dice: (5,) * dice)


def siege(console: Console) -> None:
    console.line("start siege")
    console.line("agree")
    console.line("place commander > d6")


def test_every_command_stands_in_the_help_and_the_help_names_no_other(console: Console) -> None:
    commands = {name.removeprefix("_do_") for name in dir(Console) if name.startswith("_do_")}
    for command in commands - {"help"}:
        assert re.search(rf"(^|\s){command}\b", HELP), command
    named = {part.split()[0] for line in HELP.splitlines() for part in re.split(r"\s{3,}|\|", line) if part.strip()}
    lower = {word for word in named if re.fullmatch("[a-z]+", word)}
    said_of_them = {"begin", "agree", "a", "would", "take", "vote", "pass", "rest", "say", "end", "put", "was", "what",
                    "tell", "let",
                    "go", "the", "all", "try", "leave", "skip", "move", "quit"}  # fmt: skip
    assert lower - commands <= said_of_them
    assert console.line("help") == HELP.splitlines()


def test_starting_shows_the_house_rules_and_they_must_be_agreed_to(console: Console) -> None:
    card = console.line("start siege")
    assert any("special_exempt = that_turn" in line for line in card)
    assert "Still missing" in console.line("place commander > d6")[0]
    console.line("agree attacker")
    console.line("agree")
    assert console.line("place commander > d6") == []


def test_a_refused_move_is_explained_and_what_is_legal_is_listed(console: Console) -> None:
    siege(console)
    lines = console.line("move knight c0 > c1")
    assert lines[0] == "NOT LEGAL: attacker: move knight c0 > c1"
    assert any(line.strip().startswith("SG-11") for line in lines)
    assert "Legal would be" in lines[-1]


def test_the_host_lets_a_refused_move_stand_with_the_position_from_a_file(console: Console, table: Table, tmp_path: Path) -> None:
    siege(console)
    assert console.line("stand x.json") == ["No move was refused just now."]
    console.line("move knight c0 > c1")
    assert table.view.ledger
    position = table.view.ledger.game.position(table.view.ledger.state) | {
        "knights": ["c1", "d0", "e0", "f0"],
        "to_move": "defender",
    }
    position.pop("seen", None)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    assert console.line(f"stand {file}") == []
    assert "the host let it stand" in console.line("was 2")[0]
    assert any("LetStand" in line for line in console.line("record"))


def test_disputes_are_answered_without_changing_anything(console: Console, table: Table) -> None:
    siege(console)
    before = table.view.ledger
    assert console.line("may move knight c0 > d2")[0].startswith("LEGAL")
    assert console.line("may move knight c0 > c1")[0].startswith("NOT LEGAL")
    assert console.line("was 1")[0] == "Number 1 was legal."
    assert "no act 12" in console.line("was 12")[0]
    assert table.view.ledger == before


def test_taking_back_pausing_skipping_and_leaving(console: Console, table: Table) -> None:
    siege(console)
    console.line("1")
    console.line("back")
    assert table.view.ledger
    assert len(table.view.ledger.lines) == 1
    console.line("pause supper")
    assert "paused" in console.line("1")[0]
    console.line("go on")
    console.line("skip attacker")
    assert table.view.ledger.due[0].seat == "defender"
    console.line("leave defender")
    assert table.view.ledger.present == ("attacker",)


def test_an_ended_evening_is_resumed_by_the_next(console: Console, table: Table) -> None:
    siege(console)
    console.line("end")
    assert table.view.ledger is None
    assert console.line("resume") == ["There is no unfinished game to go on with."]
    console.line("resume 1")
    assert table.view.ledger
    assert len(table.view.ledger.lines) == 1


def test_dice_are_thrown_told_and_refused_when_not_due(console: Console, table: Table) -> None:
    console.line("start royal_game one_die 2")
    console.line("agree")
    console.line("throw")
    assert table.view.last_roll
    assert table.view.last_roll.faces == (5,)
    assert "needs 1 dice, not 2" in console.line("roll 3 4")[0]
    assert "1 to 6" in console.line("roll 7")[0]
    assert "1 to 6" in console.line("roll five")[0]


def test_a_decision_of_the_table_is_the_house_rule_of_the_next_game(console: Console, table: Table) -> None:
    console.line("start siege")
    console.line("agree")
    console.line("vote attacker draw never")
    console.line("vote defender draw never")
    console.line("end")
    card = console.line("start siege")
    assert any("draw = never" in line for line in card)


NONSENSE = [
    "", "hello", "start", "start chess", "was", "was x", "vote", "back 99", "skip umpire", "correct /nowhere", "99",
    "umpire: pass",
    "x" * 100_000, "\x1b[2J\x00", "resume 99999999999", "_private", "__class__",
]  # fmt: skip


@pytest.mark.parametrize("line", NONSENSE, ids=lambda text: ascii(text[:20]))
def test_nonsense_is_answered_in_words(console: Console, line: str) -> None:
    for _ in range(2):  # without a game, and with one
        answer = console.line(line)
        assert answer
        assert all(isinstance(text, str) and "Traceback" not in text for text in answer)
        siege(console)
