"""companion games, rules, simulate and board."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.board import board_to_json
from companion.cli import main
from companion.games import all_games, find_game
from tests.cli.conftest import Run

PNG = b"\x89PNG\r\n\x1a\n"


def test_games_lists_every_game_with_its_variants_and_seats(run: Run) -> None:
    listed = {g["name"]: g for g in json.loads(run("games", "--json").stdout)}
    assert set(listed) == set(all_games())
    for name, game in all_games().items():
        assert [v["name"] for v in listed[name]["variants"]] == [v.name for v in game.variants]
        assert game.title in run("games").output


@pytest.mark.parametrize("game", all_games())
def test_rules_shows_each_rule_with_its_place_in_the_leaflet(run: Run, game: str) -> None:
    output = run("rules", game).output
    for rule in find_game(game).rulebook.rules:
        assert f"{rule.id}  {rule.text}" in output
        assert rule.place in output


def test_rules_can_be_searched_by_word_and_by_number(run: Run) -> None:
    found = json.loads(run("rules", "siege", "--search", "crown", "--json").stdout)
    assert "SG-29" in {entry["id"] for entry in found}
    assert all("crown" in json.dumps(entry).lower() for entry in found)
    assert run("rules", "siege", "--search", "SG-17").output.startswith("SG-17")
    nothing = run("rules", "siege", "--search", "zeppelin")
    assert nothing.exit_code == 2
    assert "nothing in this rulebook mentions 'zeppelin'" in nothing.stderr


def test_simulate_repeats_itself_by_its_seed_and_reports_rules_exercised(run: Run) -> None:
    def games(seed: str) -> dict[str, object]:
        result = json.loads(run("simulate", "siege", "--games", "5", "--seed", seed, "--json").stdout)
        result.pop("events_per_second")
        return result

    assert games("7") == games("7")
    assert games("7") != games("8")
    assert games("7")["rules_exercised"]
    assert "rules exercised:" in run("simulate", "siege", "--games", "2").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["simulate", "siege", "--games", "0"], "games: must be 1 or more"),
        (["simulate", "siege", "--games", "many"], "'many' is not a valid integer"),
        (["simulate", "siege", "--seats", "5"], "for 2 players, not 5"),
        (["simulate", "siege", "--reading", "draw"], "write NAME=VALUE"),
        (["simulate", "siege", "--reading", "draw=maybe"], "reading draw: 'maybe'"),
        (["simulate", "checkers"], "game: 'checkers' is not known"),
        (["rules", "checkers"], "game: 'checkers' is not known"),
        (["play", "siege", "--board", "/nowhere/board.json"], "cannot be read"),
        (["board", "show", "marble.json"], "cannot be read"),
        (["board", "draw", "siege", "siege.gif"], "out: must end in .svg or .png"),
        (["board", "draw", "siege", "/nowhere/siege.png"], "cannot be written"),
        (["board", "draw", "siege", "x.png", "--width", "1000000"], "width: must be 50 to 10000"),
        (["play", "--resume", "/nowhere/game.json"], "cannot be read"),
    ],
)
def test_bad_words_on_the_command_line_get_one_line_and_exit_code_2(run: Run, words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("game", all_games())
def test_a_board_can_be_listed_shown_validated_and_drawn(run: Run, game: str, tmp_path: Path) -> None:
    assert game in run("board", "list").output
    assert "known from:" in run("board", "show", game).output
    assert json.loads(run("board", "show", game, "--json").stdout)["spaces"]
    board = find_game(game).board()
    file = tmp_path / "board.json"
    file.write_text(json.dumps(board_to_json(board)))
    assert run("board", "validate", str(file)).exit_code == 0
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    assert run("board", "draw", game, str(svg)).exit_code == 0
    assert all(f'data-space="{id}"' in svg.read_text() for id in board.spaces)
    assert run("board", "draw", str(file), str(png), "--width", "300").exit_code == 0
    assert png.read_bytes().startswith(PNG)


def test_a_board_that_misses_something_is_told_what_in_words(run: Run, tmp_path: Path) -> None:
    data = board_to_json(find_game("siege").board())
    data["spaces"] = [s for s in data["spaces"] if s["id"] not in ("d6", "c0")]
    file = tmp_path / "board.json"
    file.write_text(json.dumps(data))
    result = run("board", "validate", str(file))
    assert result.exit_code == 1
    assert "Siege needs 2 Crown squares (kind 'crown'), and this board has 1" in result.output
    assert "4 Knights' squares with black dots" in result.output


def test_every_command_has_help_with_a_sentence(run: Run) -> None:
    for name in main.commands:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert len(result.output) > 150
