"""What a host knows who has the old board before him: its measures, the shape of its spaces, and the name of each. The wizard's tests tell
it to the wizard by hand, and compare what comes out with what was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from random import Random
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.board import Board, Space
from companion.games import find_game
from companion.mapping.build import board_of, spaces_of
from companion.mapping.draft import checked_step, said
from companion.mapping.palette import Mark, Palette, palette_of
from tests.mapping.old_boards import Old

Point = tuple[float, float]
KIND = {"siege": "grid", "royal_purple": "grid", "fighting_marines": "ring", "kop_the_kaiser": "path", "royal_game": "cross"}
THUMB = 1.2  # pixels of a phone's screen by which a thumb sets a handle wrong that it drags under the lens: the usual error
SCREEN = 374  # pixels that a board is wide on a phone
CLOSE = 0.03  # of a space's width


def thumb(points: Sequence[Sequence[float]], chance: Random, pixels: float = THUMB) -> list[list[float]]:
    """Where a thumb leaves handles that belong on these points (parts of the board's width)."""
    return [[x + chance.gauss(0, pixels) / SCREEN, y + chance.gauss(0, pixels) / SCREEN] for x, y in points]


# --- the shape ---


def true_shape(one: Old) -> dict[str, Any]:
    """The shape as the wizard would have it if all were exact."""
    return {"grid": _grid, "ring": _ring, "path": _path, "cross": _cross}[KIND[one.game]](one.board)


def _grid(board: Board) -> dict[str, Any]:
    inside = [s for s in board.spaces.values() if s.number("row") >= 1]
    extra = [[s.number("column"), s.number("row")] for s in board.spaces.values() if s.number("row") < 1]
    return {"kind": "grid", "columns": _lines(inside, board, 0), "rows": _lines(inside, board, 1), "extra": extra, "without": []}


def _lines(spaces: Sequence[Space], board: Board, axis: int) -> list[float]:
    return sorted({round(p[axis] / board.size_mm[axis], 5) for space in spaces for p in space.outline})


def _ring(board: Board) -> dict[str, Any]:
    middle, wide = (board.size_mm[0] / 2, board.size_mm[1] / 2), board.size_mm[0]
    far = {kind: [dist(p, middle) / wide for s in board.of_kind(kind) for p in s.outline] for kind in ("base", "platform")}
    radii = [max(far["base"]), min(far["base"]), max(far["platform"]), min(far["platform"])]
    return {
        "kind": "ring", "centre": [0.5, 0.5], "radii": radii, "first": 180.0, "clockwise": True, "count": len(board.of_kind("base")),
        "arrow": 44, "discs": _discs(board, "insignia"),
    }  # fmt: skip


def _discs(board: Board, kind: str) -> list[dict[str, Any]]:
    return [_disc(space, board) for space in board.of_kind(kind)]


def _disc(space: Space, board: Board) -> dict[str, Any]:
    x, y = space.centre
    return {"at": [x / board.size_mm[0], y / board.size_mm[1]], "radius": dist(space.outline[0], space.centre) / board.size_mm[0]}


def _path(board: Board) -> dict[str, Any]:
    """One sixth: the strip of blue spaces, the port, the way to Berlin; and Berlin, once."""
    count = len(board.of_kind("blue")) // 6
    divisions = [s for s in board.of_kind("pink") if s.id.startswith("W1-")]
    first, last = board.spaces["S01"].outline, board.spaces[f"S{count:02}"].outline
    near, far = divisions[0].outline, divisions[-1].outline
    parts = [
        {"mark": "blue", "corners": [first[3], first[0], last[1], last[2]], "count": count, "once": False},
        {"mark": "port", **_disc(board.spaces["G1"], board), "once": False},
        {"mark": "pink", "corners": [near[0], near[1], far[2], far[3]], "count": len(divisions), "once": False},
        {"mark": "berlin", **_disc(board.spaces["BERLIN"], board), "once": True},
    ]
    for part in parts:
        if "corners" in part:
            part["corners"] = [[x / board.size_mm[0], y / board.size_mm[1]] for x, y in part["corners"]]
    return {"kind": "path", "centre": [0.5, 0.5], "repeat": 6, "clockwise": False, "parts": parts}


def _cross(board: Board) -> dict[str, Any]:
    squares = [*board.of_kind("road"), *board.of_kind("lane")]
    lines = _lines(squares, board, 0)
    return {"kind": "cross", "columns": lines, "rows": _lines(squares, board, 1), "arm": (len(lines) - 4) // 2, "discs": _discs(board, "start")}


# --- the names ---


class Name(NamedTuple):
    """A mark that belongs on the space there, and where it sends."""

    mark: str
    space: str  # of the old board
    to: str = ""


def true_names(one: Old, palette: Palette) -> Iterator[Name]:
    for space in one.board.spaces.values():
        groups: dict[str, Mark] = {}
        for mark in palette.marks.values():
            known = groups.get(mark.group)
            if _is(mark, space) and (known is None or _says(mark) > _says(known)):
                groups[mark.group] = mark
        for mark in groups.values():
            yield Name(mark.name, space.id, space.links.get(mark.link, "") if mark.link else "")


def _is(mark: Mark, space: Space) -> bool:
    on = not mark.on or set(mark.on) & space.kinds
    return bool(on) and set(mark.adds) <= space.kinds and all(space.facts.get(fact) == value for fact, value in mark.sets.items())


def _says(mark: Mark) -> int:
    return len(mark.adds) + len(mark.sets)


# --- what came out ---


def pairs(one: Board, outlines: dict[str, Sequence[Sequence[float]]]) -> dict[str, str]:
    """Each space of the old board with the one that was mapped there; millimetres."""
    names = list(outlines)
    middles = np.array([np.mean(outlines[name], 0) for name in names])
    own = {space.id: np.mean(space.outline, 0) for space in one.spaces.values()}
    found = {id: names[int(np.linalg.norm(middles - middle, axis=1).argmin())] for id, middle in own.items()}
    # Home of a cross and the like: nothing else lies there.
    return {id: name for id, name in found.items() if _overlap(one.spaces[id].outline, outlines[name]) > 0}


def _overlap(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> float:
    middle = np.mean(np.asarray(a, float), 0)
    return cv2.pointPolygonTest(np.asarray(b, np.float32), (float(middle[0]), float(middle[1])), True)


def width(outline: Sequence[Sequence[float]]) -> float:
    """Of a space: its shorter side."""
    return float(min(cv2.minAreaRect(np.asarray(outline, np.float32))[1]))


def off(true: Sequence[Sequence[float]], mapped: Sequence[Sequence[float]]) -> float:
    """By how much of its width an outline is off, at its worst place."""
    a, b = np.asarray(true, np.float32), np.asarray(mapped, np.float32)
    far = [abs(cv2.pointPolygonTest(on.reshape(-1, 1, 2), (float(x), float(y)), True)) for on, of in ((b, a), (a, b)) for x, y in of]
    return max(far) / width(true)


def outlines_off(old: Board, outlines: dict[str, Sequence[Sequence[float]]]) -> dict[str, float]:
    """Of each space of the old board, by how much of its width it was mapped wrong; 1 where nothing was."""
    found = pairs(old, outlines)
    return {id: off(space.outline, outlines[found[id]]) if id in found else 1.0 for id, space in old.spaces.items()}


# --- without hands ---


def steps_of(one: Old) -> list[dict[str, Any]]:
    """All that has to be said of an old board, exactly, as one who programs would say it."""
    game = find_game(one.game)
    palette, shape = palette_of(game), true_shape(one)
    steps: list[dict[str, Any]] = [
        {"do": "corners", "corners": [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]},
        {"do": "size", "size_mm": list(one.board.size_mm)},
        {"do": "shape", "shape": shape},
    ]
    drawn = spaces_of(game, said([checked_step(step, palette) for step in steps], palette))
    here = pairs(one.board, {space.id: space.shown for space in drawn})
    for name in true_names(one, palette):
        step = {"do": "link", "mark": name.mark, "space": here[name.space], "to": here[name.to]} if name.to else {
            "do": "mark", "mark": name.mark, "spaces": [here[name.space]]
        }  # fmt: skip
        steps.append(step)
    return [checked_step(step, palette) for step in steps]


def mapped(one: Old) -> Board:
    game = find_game(one.game)
    return game.board(board_of(game, said(steps_of(one), palette_of(game)), "mapped"))
