"""A game on a mapped board, watched by the real eye: the old board lies under the rendered camera (synthetic), the referee knows only what
was mapped of it, and finds it by the picture in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from companion.board import Board
from companion.game import Terms
from companion.games import find_game
from companion.layout import Layout
from tests.mapping.host import pairs
from tests.mapping.old_boards import Old
from tests.vision.evenings_rendered import Stage, teaching
from vision.calibration import calibrate
from vision.marks import contents
from vision.own_picture import corners_by_picture
from vision.rendered import Conditions, Cover, Picture, Scene, random_conditions


@dataclass
class OwnStage(Stage):
    """Spaces have the names of the mapped board; the camera sees the old one."""

    lies_on: Mapping[str, str] = field(default_factory=dict)  # mapped space -> the old board's

    def draw(self, layout: Layout, covers: tuple[Cover, ...] = ()) -> Picture:
        picture = super().draw(renamed(layout, self.lies_on), covers)
        back = {old: mapped for mapped, old in self.lies_on.items()}
        covered = {back[space]: part for space, part in picture.truth.covered.items() if space in back}
        return replace(picture, truth=replace(picture.truth, covered=covered))


def renamed(layout: Layout, names: Mapping[str, str]) -> Layout:
    return Layout(tuple(piece._replace(space=names[piece.space]) for piece in layout.standing), layout.platform)


def conditions(one: Old) -> Conditions:
    """An overhead camera, no tags, the old board's own print on its own table."""
    return replace(random_conditions(one.seed, "plain"), tags=(), cloth=one.cloth, art=one.era)


def own_stage(one: Old, board: Board, picture: bytes) -> OwnStage:
    """`NotFound` where the eye does not find the board by its picture."""
    game, scene = find_game(one.game), Scene(one.board, conditions(one), one.seed)
    terms: Terms = game.terms(board=board)
    lies_on = {mapped: old for old, mapped in pairs(one.board, {s.id: s.outline for s in board.spaces.values()}).items()}
    number = game.layout(game.set_up(terms)).platform
    each = teaching(game, terms, number)
    empty = scene.draw(Layout((), number), step_seed=90_001).frame
    taught = scene.draw(renamed(each, lies_on), step_seed=90_002).frame
    assert corners_by_picture(empty, board, picture) is not None, "not found by its picture"
    calibration = calibrate(board, empty, taught, contents(each), None, number, "rendered", picture)
    return OwnStage(game, terms, calibration, scene, "own board", Random(one.name), lies_on=lies_on)
