"""The rulebook, the code and the tests name the same rules: ids are audited in all directions."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.game import Game
from companion.games import all_games

TESTS = Path(__file__).parent
ID = re.compile(r"\b(?:RP|SG|KK|FM|RG|X)-A?\d\d\b")
GAMES = list(all_games().values())


@cache
def source(game: str) -> str:
    folder = next(g.folder for g in GAMES if g.name == game)
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.glob("*.py")))


@cache
def marks(game: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Ids in @pytest.mark.rule(…) and pairs in @pytest.mark.reading(…) of a game's own tests."""
    rules: set[str] = set()
    readings: set[tuple[str, str]] = set()
    for path in sorted((TESTS / game).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Attribute):
                texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if node.func.value.attr == "mark" and node.func.attr == "rule":
                    rules |= set(texts)
                elif node.func.value.attr == "mark" and node.func.attr == "reading":
                    readings.add((texts[0], texts[1]))
    return frozenset(rules), frozenset(readings)


each_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)


@each_game
def test_ids_in_the_code_and_in_the_tests_stand_in_the_rulebook(game: Game) -> None:
    known = game.rulebook.ids()
    assert set(ID.findall(source(game.name))) <= known
    assert marks(game.name)[0] <= known


@each_game
def test_an_enforced_rule_is_cited_in_the_code_and_has_a_test(game: Game) -> None:
    enforced = {rule.id for rule in game.rulebook.rules if not rule.left_to_players}
    assert enforced - set(ID.findall(source(game.name))) == set(), "enforced, but never cited in the code"
    assert enforced - marks(game.name)[0] == set(), "enforced, but no test is marked with it"


@each_game
def test_each_reading_is_used_by_the_code_and_each_value_has_a_test(game: Game) -> None:
    for reading in game.rulebook.readings:
        if reading.decided_by != "rules":
            continue
        assert f'"{reading.name}"' in source(game.name) or reading.id.startswith("X-"), f"{reading.name} is never asked"
        tested = {value for name, value in marks(game.name)[1] if name == reading.name}
        missing = set(reading.values) - tested
        assert reading.id.startswith("X-") or not missing, f"{reading.name}: no test for {sorted(missing)}"


@each_game
def test_the_default_of_each_reading_is_one_of_its_values_and_every_value_is_explained(game: Game) -> None:
    names = [reading.name for reading in game.rulebook.readings]
    assert len(names) == len(set(names))
    for reading in game.rulebook.readings:
        assert reading.default in reading.values
        assert len(reading.values) > 1, f"{reading.name} is no choice"
        assert all(len(text) > 10 and text[0].isupper() and "FILL" not in text for text in reading.values.values()), reading.name
        assert reading.impact in ("high", "medium", "low")


@each_game
def test_each_settled_point_has_a_test_or_says_why_not(game: Game) -> None:
    for point in game.rulebook.settled:
        tested = point.id in marks(game.name)[0] or point.id.startswith("X-")
        assert tested or point.left_to_players, f"{point.id}: no test and no reason"


@each_game
def test_rules_are_numbered_without_gaps_and_written_as_sentences(game: Game) -> None:
    numbers = [int(rule.id.split("-")[1]) for rule in game.rulebook.rules]
    assert numbers == list(range(1, len(numbers) + 1))
    points = sorted(
        int(e.id.split("-A")[1]) for e in (*game.rulebook.readings, *game.rulebook.settled) if not e.id.startswith("X-")
    )
    assert points == list(range(1, len(points) + 1))
    for entry in game.rulebook.rules:
        assert entry.text[0].isupper(), f"{entry.id}: {entry.text!r}"
        assert entry.text[-1] in ".!?", f"{entry.id}: {entry.text!r}"
        assert entry.place, f"{entry.id} does not say where the leaflet has it"
        assert entry.basis in ("leaflet", "follows", "custom")
