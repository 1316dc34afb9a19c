"""Where people really put pieces: off the middle, turned anyhow, leaning, on one another, in a crowd. Never into the next space.

A piece's place depends on the seed and on what shares its space, so a piece that nobody touches stays where it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations

import cv2
import numpy as np

from companion.board import Board, Space
from companion.layout import Layout, Standing
from vision.rendered.bodies import BUTTON, COIN, DIE, Body, body_of, paint_of
from vision.rendered.chance import chance
from vision.rendered.sprites import Placed
from vision.view import Array

FLAT = 6.0  # millimetres: lower bodies can lie on one another


def place_all(board: Board, layout: Layout, bodies: Mapping[str, Body], seed: int, mess: float) -> list[Placed]:
    """A place for each piece of the layout, in its order; platform spaces as the board file draws them."""
    found: dict[int, Placed] = {}
    together: defaultdict[str, list[int]] = defaultdict(list)
    for number, standing in enumerate(layout.standing):
        together[standing.space].append(number)
    for space, numbers in together.items():
        items = [layout.standing[number] for number in numbers]
        found |= dict(zip(numbers, _share(board.spaces[space], items, bodies, seed, mess), strict=True))
    return [found[number] for number in range(len(layout.standing))]


def lie_about(size_mm: tuple[float, float], count: int, table: float, seed: int) -> list[Placed]:
    """Things that lie beside the board on the table, clear of the tags; `table` is the table's height against the board's face."""
    dice = chance(seed, "clutter")
    found = []
    for _ in range(count):
        body = (DIE, COIN, BUTTON)[int(dice.integers(3))]
        away = dice.uniform(75, 180)
        along = dice.uniform(0, 1)
        side = int(dice.integers(4))
        width, height = size_mm
        x, y = ((along * width, -away), (width + away, along * height), (along * width, height + away), (-away, along * height))[side]
        found.append(Placed(body, body.colour or (128, 128, 128), (float(x), float(y)), table, float(dice.uniform(0, 360))))
    return found


def inside(space: Space, at: Array) -> float:
    """How far a point lies inside a space's outline, in millimetres; negative outside."""
    return float(cv2.pointPolygonTest(np.array(space.outline, np.float32), (float(at[0]), float(at[1])), True))


def _share(space: Space, items: list[Standing], bodies: Mapping[str, Body], seed: int, mess: float) -> list[Placed]:
    """Places for all that stands on one space."""
    room = max(inside(space, np.array(space.centre)), 3.0)
    shapes = [_fitting(body_of(item.piece, item.face, bodies), room) for item in items]
    copies: Counter[tuple[str, str]] = Counter()
    streams = []
    for item in items:
        copies[item.piece, item.face] += 1
        streams.append(chance(seed, "place", space.id, item.piece, item.face, copies[item.piece, item.face]))
    spots = np.array([_alone(space, room, body, dice, mess) for body, dice in zip(shapes, streams, strict=True)])
    under = _carriers(items, shapes, streams, mess)
    on_board = [i for i in range(len(items)) if i not in under]
    spots[on_board] = _made_room(space, spots[on_board], [shapes[i] for i in on_board])
    heights = _shingled(spots, shapes, on_board)
    for i in sorted(under, key=lambda i: items[i].level):  # not quite straight on what is below, which may look out half
        askew = shapes[i].radius * 0.8 if shapes[i].height > FLAT and streams[i].random() < 0.4 else 1.2
        spots[i] = spots[under[i]] + streams[i].uniform(-1, 1, 2) * askew * mess
        if inside(space, spots[i]) < 0.5 * shapes[i].radius:
            spots[i] = spots[under[i]]
        heights[i] = heights[under[i]] + shapes[under[i]].height
    placed = []
    for i, item in enumerate(items):
        lean = streams[i].normal(0, 0.025, 2) * mess if shapes[i].height > FLAT else np.zeros(2)
        turn = float(streams[i].uniform(0, 360))
        at = (float(spots[i][0]), float(spots[i][1]))
        placed.append(Placed(shapes[i], paint_of(item.piece, seed), at, heights[i], turn, (float(lean[0]), float(lean[1]))))
    return placed


def _fitting(body: Body, room: float) -> Body:
    """The body, smaller if the space is small."""
    return body.scaled(min(1.0, 0.86 * room / body.radius))


def _alone(space: Space, room: float, body: Body, dice: np.random.Generator, mess: float) -> Array:
    """Where somebody puts a piece on an empty space: mostly well inside, sometimes touching a line, a marker half out."""
    centre = np.array(space.centre)
    luck = dice.random()
    out = 0.25 if luck < 0.15 else 0.0
    if body.height <= FLAT and body.radius < 7 and luck < 0.25:
        out = 0.85
    wide = max(0.4 * room, 0.8 * (room - body.radius)) * mess
    for _ in range(40):
        at = centre + dice.normal(0, 1, 2) * wide
        if inside(space, at) > body.radius * (1 - out) + 0.2:
            return np.asarray(at)
    return centre


def _carriers(items: list[Standing], shapes: list[Body], streams: list[np.random.Generator], mess: float) -> dict[int, int]:
    """What stands on what. A layout's levels tell what could be stacked; people do it or put things side by side."""
    under: dict[int, int] = {}
    for i, item in enumerate(items):
        below = [j for j, other in enumerate(items) if other.level == item.level - 1 and j not in under.values()]
        stacks = streams[i].random() > 0.45 * min(mess, 1.0)
        if item.level and below and stacks:
            under[i] = below[0]
    return under


def _made_room(space: Space, spots: Array, shapes: list[Body]) -> Array:
    """Pieces that would overlap are pushed apart, but not out of their space: where there is no room they crowd."""
    spots, centre = spots.copy(), np.array(space.centre)
    near = [a.radius + b.radius + 0.3 for a, b in combinations(shapes, 2)]
    pairs = list(combinations(range(len(shapes)), 2))
    for _ in range(80 if pairs else 0):
        pushed = False
        for (i, j), least in zip(pairs, near, strict=True):
            way = spots[j] - spots[i]
            far = float(np.hypot(*way))
            if far < least:
                way = way / far if far > 1e-6 else np.array([1.0, 0.0])
                spots[i], spots[j] = spots[i] - way * (least - far) * 0.3, spots[j] + way * (least - far) * 0.3
                pushed = True
        if not pushed:
            break
        for i, body in enumerate(shapes):
            lacking = body.radius * (0.85 if body.height <= FLAT else 0.65) - inside(space, spots[i])
            if lacking > 0:
                way = centre - spots[i]
                spots[i] = spots[i] + way / max(float(np.hypot(*way)), 1e-6) * min(lacking, float(np.hypot(*way)))
    return spots


def _shingled(spots: Array, shapes: list[Body], on_board: list[int]) -> list[float]:
    """Flat pieces that still overlap lie on one another like shingles: the height on which each lies."""
    heights = [0.0] * len(shapes)
    for place, i in enumerate(on_board):
        for j in on_board[:place]:
            overlap = shapes[i].radius + shapes[j].radius - float(np.hypot(*(spots[i] - spots[j])))
            if overlap > 0.3 and shapes[j].height <= FLAT:
                heights[i] = max(heights[i], heights[j] + shapes[j].height)
    return heights
