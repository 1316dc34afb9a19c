"""A board is what its file says, however the file was written."""

from __future__ import annotations

import json

import pytest

from companion.board import board_from_json, board_to_json
from companion.games import all_games


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_a_board_that_was_kept_and_read_again_is_the_same_board(game) -> None:  # type: ignore[no-untyped-def]
    board = game.board()
    again = board_from_json(json.loads(json.dumps(board_to_json(board))))
    assert again == board
    assert again.digest == board.digest


def test_a_board_with_one_other_space_is_another_board() -> None:
    board = all_games()["siege"].board()
    data = board_to_json(board)
    data["spaces"][0]["outline"][0][0] += 1
    assert board_from_json(data) != board
