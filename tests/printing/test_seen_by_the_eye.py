"""A printed board with printed pieces is found and read by our own eye: every space where it looks for it, a move as that move."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion import tags
from companion.events import Move
from companion.game import Game
from companion.games import all_games
from companion.layout import Layout, Standing
from companion.referee import settled_state
from companion.simulation import random_event
from tests.printing.photo import FRAME, PrintedSet
from vision.calibration import Calibration, calibrate
from vision.hypotheses import wanted
from vision.marks import contents
from vision.umpire import Made, Nothing, see

NEAR_MM = 1.5  # less than the play of a counter in its space
ROOMY = 3000  # square millimetres in which several counters lie side by side


def is_clear(game: Game, layout: Layout) -> bool:
    """Every piece can be seen: none lies on another, and several only where there is room for them."""
    spaces = game.board().spaces
    return all(len(content) == 1 or spaces[space].area > ROOMY for space, content in contents(layout).items())


def played(game: Game, seed: int = 5) -> list[tuple[Any, Move, Any]]:
    """Moves of a random game that move a piece from a clear board to a clear board."""
    chance, state = Random(seed), game.set_up(game.terms())
    found = []
    while len(found) < 40 and (event := random_event(game, state, chance)) is not None:
        after = game.rule(state, event).state
        before_it, after_it = game.layout(state), game.layout(after)
        if isinstance(event, Move) and before_it != after_it and is_clear(game, before_it) and is_clear(game, after_it):
            found.append((state, event, after))
        state = after
    return found


def every_piece_once(game: Game) -> Layout:
    """Each face of each piece on a space of its own, well apart; a platform's arrow where the board file has it."""
    board, faces = game.board(), [(s.piece, face) for s in game.pieces(game.terms()) for face in s.faces or ("",)]
    spaces = [space.id for space in board.spaces.values() if space.area < ROOMY]
    step = len(spaces) // len(faces)
    standing = (Standing(piece, spaces[step * n], face) for n, (piece, face) in enumerate(faces))
    return Layout(tuple(standing), game.layout(game.set_up(game.terms())).platform)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_a_printed_set_is_found_and_a_move_on_it_is_read(game: Game) -> None:
    printed = PrintedSet(game)
    before, move, after = played(game)[-1]
    layout = game.layout(before)
    shown = every_piece_once(game)
    learned = calibrate(printed.board, printed.photo(), printed.photo(shown), contents(shown), number=shown.platform)
    every_space_lies_where_the_eye_looks_for_it(printed, learned)

    eye, finder = learned.eye(), learned.finder()
    ask = wanted(game, settled_state(game, before))

    def looks(at: Layout) -> Any:
        frame = printed.photo(at)
        return see(game, before, eye.look(frame, finder.acquire(frame), ask))

    assert looks(layout) == Nothing()
    eye.confirm(contents(layout))
    seen = looks(game.layout(after))
    assert isinstance(seen, Made), seen
    assert seen.moves == (move,)


def every_space_lies_where_the_eye_looks_for_it(printed: PrintedSet, learned: Calibration) -> None:
    board = printed.board
    centres = np.array([space.centre for space in board.spaces.values()])
    truth = cv2.perspectiveTransform(centres[None], printed.to_pixels)[0]
    pixels_per_mm = FRAME[1] / (board.size_mm[1] + 2 * tags.BAND_MM) / 1.08
    assert np.linalg.norm(learned.view.pixels(centres) - truth, axis=1).max() / pixels_per_mm < NEAR_MM
