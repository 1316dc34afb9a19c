"""The list of legal moves, the ruling and a second, plain reading of the leaflet agree everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from companion.board import Board
from companion.events import Move
from companion.games.siege import GAME
from companion.games.siege.rules import objections
from companion.games.siege.state import PLAY, State
from tests.games.siege.layouts import CORNER, COURT, LARGE, written
from tests.games.siege.oracle import Oracle
from tests.games.siege.table import start

OWN_READINGS = [reading for reading in GAME.rulebook.readings if reading.id.startswith("SG-")]


def some_readings(chance: Random) -> dict[str, str]:
    """Readings by chance, near the defaults as often as far from them."""
    return {r.name: chance.choice([r.default, *r.values]) for r in OWN_READINGS}


def random_states(chance: Random, wanted: int, board: Board | None = None, defaults: bool = False) -> Iterator[State]:
    """States of random games in play, each game under other readings."""
    made = 0
    while made < wanted:
        readings = {} if defaults else some_readings(chance)
        state = GAME.set_up(GAME.terms(board=board, readings=readings))
        for _ in range(chance.choice((6, 20, 60, 120))):
            moves = GAME.legal_moves(state)
            if not moves:
                break
            state = GAME.rule(state, chance.choice(moves)).state
            if state.phase == PLAY and made < wanted:
                made += 1
                yield state


@cache
def every_move(board: Board) -> list[Move]:
    """Each piece from each square to each square, by either seat."""
    ends = list(product(GAME.seats, ("knight", "defender", "commander"), board.spaces, board.spaces))
    return [Move(seat, "move", piece, start, end) for seat, piece, start, end in ends]


def agree_on_every_move(state: State) -> None:
    """For every seat, piece and pair of squares: no objection exactly if the move is listed."""
    unobjected = {move for move in every_move(state.ground.terms.board) if not objections(state, move)}
    assert unobjected == {move for move in GAME.legal_moves(state) if move.do == "move"}


def agree_with_the_oracle(state: State) -> None:
    terms = state.ground.terms
    expected = Oracle(terms.board, terms.readings, GAME.position(state)).legal()
    listed = [(m.piece, m.start, m.to) for m in GAME.legal_moves(state) if m.do == "move"]
    assert len(set(listed)) == len(listed)
    assert set(listed) == expected, GAME.position(state)


def test_from_the_first_position_there_are_16_then_300_then_4576_games() -> None:
    def games(state: State, moves: int) -> int:
        legal = GAME.legal_moves(state)
        return len(legal) if moves == 1 else sum(games(GAME.rule(state, move).state, moves - 1) for move in legal)

    assert [games(start("d6"), moves) for moves in (1, 2, 3)] == [16, 300, 4576]
    assert games(start("e6"), 3) == 4576, "the board is symmetric"


def test_objections_and_the_list_agree_on_every_pair_of_squares() -> None:
    for state in random_states(Random("few"), 12):
        agree_on_every_move(state)


@pytest.mark.slow
def test_objections_and_the_list_agree_on_every_pair_of_squares_in_hundreds_of_positions() -> None:
    for state in random_states(Random("defaults"), 120, defaults=True):
        agree_on_every_move(state)
    for state in random_states(Random("all readings"), 240):
        agree_on_every_move(state)


@pytest.mark.parametrize("positions", [150, pytest.param(2000, marks=pytest.mark.slow)])
def test_the_list_agrees_with_a_plain_reading_of_the_leaflet(positions: int) -> None:
    for state in random_states(Random(f"oracle {positions}"), positions):
        agree_with_the_oracle(state)


@pytest.mark.slow
@pytest.mark.parametrize("drawing", [LARGE, COURT, CORNER], ids=["large", "court", "corner"])
def test_on_other_boards_too(drawing: list[str], tmp_path: Path) -> None:
    board = written(tmp_path / "board-ours.json", drawing)
    chance = Random(str(drawing))
    for state in random_states(chance, 500, board):
        agree_with_the_oracle(state)
    for state in random_states(chance, 3, board):
        agree_on_every_move(state)
