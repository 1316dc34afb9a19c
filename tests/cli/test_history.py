"""companion history, replay, export, import, run and announce."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EVENING = "start siege\nagree\nplace commander > d6\nmove knight c0 > d2\nmove knight c0 > c1\nquit\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "companion.toml"))
    quiet = '[dice]\nserial = false\n[gpio]\non = false\n[web]\non = false\n[voice]\nengine = "none"\n'
    (tmp_path / "companion.toml").write_text(quiet)
    return tmp_path


def test_an_evening_is_kept_listed_replayed_exported_and_imported(run: Run, home: Path) -> None:
    evening = run("run", stdin=EVENING)
    assert "The Commander stands on d6" in evening.output
    assert "NOT LEGAL" in evening.output
    assert "siege" in run("history").output
    assert "running" in run("history").output
    replayed = run("replay", "1").output
    assert "attacker: move knight c0 > d2" in replayed
    assert "c0 > c1" not in replayed
    file = home / "game.json"
    assert run("export", "1", str(file)).exit_code == 0
    elsewhere = str(home / "other" / "table.journal")
    assert "Taken in as game 1" in run("import", str(file), "--journal", elsewhere).output
    assert "It is here already" in run("import", str(file), "--journal", elsewhere).output
    again = run("replay", "1", "--json", "--journal", elsewhere)
    assert again.stdout == run("replay", "1", "--json").stdout


def test_the_next_start_goes_on_where_the_evening_stopped(run: Run, home: Path) -> None:
    run("run", stdin=EVENING)
    result = run("run", stdin="record\nquit\n")
    assert "The game of Siege goes on." in result.output
    assert "move knight c0 > d2" in result.output


def test_an_imported_game_that_breaks_the_rules_is_not_taken(run: Run, home: Path) -> None:
    run("run", stdin=EVENING)
    document = json.loads(run("export", "1").stdout)
    text = json.dumps(document).replace('"to": "d2"', '"to": "c1"')
    assert '"to": "c1"' in text
    file = home / "cheat.json"
    file.write_text(text)
    other = str(home / "other.journal")
    result = run("import", str(file), "--journal", other)
    assert result.exit_code == 2
    assert "is refused now" in result.stderr
    assert not Path(other).exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("history",), "does not exist yet"),
        (("replay", "1"), "does not exist yet"),
        (("import", "/nowhere.json"), "cannot be read"),
        (("dice", "fairness"), "does not exist yet"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(run: Run, home: Path, words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_the_announcer_tells_faces_total_and_doubles_without_any_game(run: Run, home: Path) -> None:
    output = run("announce", stdin="3 4\n5 5\n6\n2 2 2\nseven\n\nquit\n").output
    assert "3 and 4: 7 in all." in output
    assert "Double 5 and 5: 10 in all." in output
    assert "Triple 2, 2 and 2: 6 in all." in output
    assert "Type the faces as numbers" in output


def test_fairness_is_told_from_the_journal(run: Run, home: Path) -> None:
    run("run", stdin="roll 3\nroll 4 4\nquit\n")
    output = run("dice", "fairness").output
    assert "console" in output
    (told,) = json.loads(run("dice", "fairness", "--json").stdout)
    assert told["counts"] == [0, 0, 1, 2, 0, 0]


def test_settings_and_languages_are_shown(run: Run, home: Path) -> None:
    assert "[voice]" in run("config").output
    assert "Deutsch" in run("languages").output
    assert run("languages", "--missing", "xx").exit_code == 2


def test_a_test_of_a_die_that_is_not_there_fails_with_words(run: Run, home: Path) -> None:
    result = run("dice", "test", "--port", str(home / "nowhere"), "--seconds", "0.2")
    assert result.exit_code == 1
    assert "No die answered." in result.output
