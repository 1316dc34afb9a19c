"""The rendered table as a camera: hands move the pieces as they are told, and the eye sees the moves."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.acts import Played
from companion.games import all_games, find_game
from companion.ledger import ACCEPTED, open_ledger
from vision import reports
from vision.rendered.stage import Stage, from_settings, layout_to_json, one_of_each
from vision.scene import scene_of

PATIENCE = 60.0


def until_still(stage: Stage) -> int:
    """Frames until the hands are gone."""
    frames, end = 0, time.monotonic() + PATIENCE
    while stage.is_moving and time.monotonic() < end:
        frames += stage.read() is not None
    assert not stage.is_moving
    return frames


def test_a_move_is_made_by_a_hand_and_read_by_the_eye() -> None:
    game = find_game("siege")
    terms = game.terms()
    ledger = open_ledger(game, terms)
    ledger = replace(ledger, agreed=frozenset(terms.seats))
    stage, lookout = from_settings({"source": "rendered"})
    stage.tell(layout_to_json(game.layout(ledger.state)))
    lookout.show(scene_of(ledger, 1, 1), set_up=True)
    said: list[str] = []
    move = next(move for move in ledger.legal_moves() if move.do == "place")
    answer = ledger.apply(Played(move), 1, move.seat)
    assert answer.status == ACCEPTED
    told = False
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        got = stage.read()
        assert got
        for report in lookout.frame(*got):
            said.append(report.kind)
            if report.kind == reports.READY and not told:
                told = True
                stage.tell(layout_to_json(game.layout(answer.ledger.state)))
            if report.kind == reports.MADE:
                assert report.moves == (move,)
                assert said == [reports.READY, reports.MADE]
                return
    raise AssertionError(said)


def test_hands_finish_what_they_began_and_then_do_what_they_were_told_next() -> None:
    game = find_game("siege")
    start = game.layout(game.set_up(game.terms()))
    stage = Stage(speed=8)
    stage.set_table(game.board())
    stage.tell(layout_to_json(start))
    assert stage.stands == start
    assert not stage.is_moving  # on an empty table they stand at once
    first = start._replace(standing=(start.standing[0]._replace(space="d1"), *start.standing[1:]))
    second = start._replace(standing=(start.standing[0]._replace(space="e1"), *start.standing[1:]))
    stage.tell(layout_to_json(first))
    stage.tell(layout_to_json(second))
    assert until_still(stage) > 1
    assert stage.stands == second


def test_it_remembers_what_it_was_told_before_its_board_was_known() -> None:
    game = find_game("siege")
    layout = game.layout(game.set_up(game.terms()))
    stage = Stage()
    stage.tell(layout_to_json(layout))
    assert stage.read() is None
    stage.set_table(game.board())
    assert stage.stands == layout


def test_an_unplugged_camera_is_missing_until_it_is_back(tmp_path: Path) -> None:
    plug = tmp_path / "plug"
    stage, _ = from_settings({"source": f"rendered:{plug}"})
    stage.set_table(find_game("siege").board())
    assert stage.read() is None
    assert "not there" in stage.missing
    plug.touch()
    assert stage.read() is not None
    assert stage.missing == ""


@pytest.mark.parametrize("name", tuple(all_games()))
def test_every_piece_of_the_box_is_taught_on_a_space_of_its_own(name: str) -> None:
    game = find_game(name)
    taught = one_of_each(game, game.board(), None)
    assert len({s.space for s in taught.standing}) == len(taught.standing)
    box = {supply.piece for variant in game.variants for n in variant.players for supply in game.pieces(game.terms(variant.name, n))}
    assert {s.piece for s in taught.standing} == box


def test_its_picture_says_that_it_is_synthetic() -> None:
    plain = np.full((720, 960, 3), 128, np.uint8)
    label = Stage.labelled(plain)[:34]
    assert label.min() == 0
    assert label.max() == 255
    assert (plain == 128).all()
