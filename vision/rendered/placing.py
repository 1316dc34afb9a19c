"""Where people really put pieces: off the middle, turned anyhow, leaning, on one another, in a crowd. Never into the next space.

A piece's place depends on the seed and on what shares its space, so a piece that nobody touches stays where it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import cv2
import numpy as np

from companion.board import Board, Space
from companion.layout import Layout, Standing
from vision.rendered.bodies import Body, body_of, paint_of
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


def inside(space: Space, at: Array) -> float:
    """How far a point lies inside a space's outline, in millimetres; negative outside."""
    return float(cv2.pointPolygonTest(np.array(space.outline, np.float32), (float(at[0]), float(at[1])), True))


def _share(space: Space, items: list[Standing], bodies: Mapping[str, Body], seed: int, mess: float) -> list[Placed]:
    room = max(inside(space, np.array(space.centre)), 3.0)
    shapes = [_fitting(body_of(item.piece, item.face, bodies), room) for item in items]
    copies: defaultdict[tuple[str, str], int] = defaultdict(int)
    streams = []
    for item in items:
        copies[item.piece, item.face] += 1
        streams.append(chance(seed, "place", space.id, item.piece, item.face, copies[item.piece, item.face]))
    order = sorted(range(len(items)), key=lambda i: (items[i].level, shapes[i].height > FLAT, items[i].piece, i))
    spots: dict[int, Array] = {}
    heights: dict[int, float] = {}
    for i in order:
        spots[i], heights[i] = _spot(space, room, i, items, shapes, spots, heights, streams[i], mess)
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


def _spot(
    space: Space, room: float, i: int, items: list[Standing], shapes: list[Body],
    spots: dict[int, Array], heights: dict[int, float], dice: np.random.Generator, mess: float,
) -> tuple[Array, float]:  # fmt: skip
    """Where the next piece goes, after those that are there already."""
    body, centre = shapes[i], np.array(space.centre)
    below = [j for j in spots if items[j].level == items[i].level - 1]
    if items[i].level and below:  # on the top of a stack, not quite straight
        under = max(below, key=lambda j: heights[j])
        return spots[under] + dice.uniform(-1.2, 1.2, 2) * mess, heights[under] + shapes[under].height
    markers = [j for j in spots if shapes[j].height <= FLAT]
    if markers and body.height > FLAT and dice.random() < 0.35 * min(mess, 1):  # a Prince stands on his marker
        under = markers[0]
        return spots[under] + dice.uniform(-2, 2, 2), heights[under] + shapes[under].height
    best, best_gap = centre, -1e9
    overhang = 0.25 if dice.random() < 0.15 * mess else 0.0  # some pieces touch a line
    if body.height <= FLAT and body.radius < 7 and dice.random() < 0.3 * mess:
        overhang = 0.85  # a marker half out of its space
    spread = 0.4 * room * mess if not spots else room + 4
    for attempt in range(60):
        at = centre + dice.normal(0, 1, 2) * spread * (0.3 + attempt / 40 if spots else 1)
        edge = inside(space, at) - body.radius * (1 - overhang)
        apart = min((float(np.hypot(*(at - spots[j]))) - body.radius - shapes[j].radius for j in spots), default=1e3)
        gap = min(edge, apart)
        if gap > best_gap:
            best, best_gap = at, gap
        if gap > 0.2:
            break
    lowest = 0.0
    if best_gap < 0:  # no room beside: flat ones overlap like shingles
        on = [j for j in spots if shapes[j].height <= FLAT and np.hypot(*(best - spots[j])) < body.radius + shapes[j].radius]
        lowest = max((heights[j] + shapes[j].height for j in on), default=0.0)
    return best, lowest
