"""Whole rendered evenings, eye and umpire together (synthetic). The thousands are in `soak_evenings`."""

from __future__ import annotations

from random import Random

import pytest

from companion.games import all_games, find_game
from tests.vision.evenings_rendered import evening, referee, stage, teaching, until_a_move
from tests.vision.fakes import table
from tests.vision.score import Score
from vision.marks import contents

TABLE = 700  # the seed of the tables that are refereed here


@pytest.mark.parametrize("name", list(all_games()))
def test_the_teaching_layout_shows_one_of_each_piece_and_face(name: str) -> None:
    game = find_game(name)
    terms = game.terms()
    layout = teaching(game, terms, None)
    marks = [mark for content in contents(layout).values() for mark in content]
    assert len(marks) == len(set(marks)) == sum(len(supply.faces) or 1 for supply in game.pieces(terms))


@pytest.mark.parametrize("name", list(all_games()))
def test_seeded_players_come_to_a_move_that_can_be_seen(name: str) -> None:
    game = find_game(name)
    ledger, events = until_a_move(table(game, game.terms()).ledger, Random(5))
    again, same = until_a_move(table(game, game.terms()).ledger, Random(5))
    assert ledger.legal_moves()
    assert events == same
    assert game.position(ledger.state) == game.position(again.state)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["siege", "royal_purple"])
def test_a_plain_evening_is_refereed_without_a_wrong_ruling_or_a_false_alarm(name: str) -> None:
    game, score = find_game(name), Score()
    at = stage(game, game.terms(), TABLE, "plain")
    referee(at, evening(at, 10), score)
    print(score.table())
    total = score.total
    assert total["steps"] >= 8
    assert (total["wrong"], total["false_alarms"], total["missed"]) == (0, 0, 0), score.faults
