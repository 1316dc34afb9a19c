"""Prince and marker of one colour: told apart by size, and what lies under the wider one comes from the game (synthetic)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import find_game
from companion.layout import Layout, Standing
from tests.vision.evenings_rendered import Stage, stage
from vision.hypotheses import wanted
from vision.marks import EMPTY, Content, contents
from vision.rendered import Scene, random_conditions

COLOURS = ("red", "blue", "yellow", "green")
SEED = 5


@pytest.fixture(scope="module")
def purple() -> Stage:
    game = find_game("royal_purple")
    at = stage(game, game.terms(), SEED)
    tidy = replace(random_conditions(SEED), mess=0.0)  # a marker under its Prince does not look out
    return replace(at, scene=Scene(at.terms.board, tidy, SEED))


def seen(at: Stage, layout: Layout, expected: Layout | None = None) -> dict[str, Content]:
    """What the eye believes, and what it says if the table expects that layout."""
    frame = at.draw(layout).frame
    considered = wanted(at.game, at.game.set_up(at.terms))
    there = contents(expected) if expected else {}
    first = {space: tuple(dict.fromkeys((there.get(space, EMPTY), *contents))) for space, contents in considered.items()}
    sighting = at.calibration.eye().look(frame, at.calibration.finder().acquire(frame), first)
    return {space: belief.best for space, belief in sighting.beliefs.items() if belief.best != EMPTY}


def test_prince_and_marker_of_one_colour_are_told_apart_all_over_the_board(purple: Stage) -> None:
    princes = [Standing(f"{colour}-prince", space) for colour, space in zip(COLOURS, ("c5", "f7", "i3", "g10"), strict=True)]
    markers = [Standing(f"{colour}-marker", space) for colour, space in zip(COLOURS, ("c8", "h6", "e3", "j5"), strict=True)]
    layout = Layout((*princes, *markers))
    assert seen(purple, layout) == contents(layout)


def test_a_marker_wholly_under_its_prince_is_as_the_table_knows_it(purple: Stage) -> None:
    alone = Layout(tuple(Standing(f"{colour}-prince", space) for colour, space in zip(COLOURS, ("c5", "f7", "i3", "g10"), strict=True)))
    markers = [Standing(s.piece.replace("prince", "marker"), s.space) for s in alone.standing]
    marked = Layout((*markers, *(s._replace(level=1) for s in alone.standing)))
    assert seen(purple, marked, expected=marked) == contents(marked)
    assert seen(purple, alone, expected=alone) == contents(alone)
