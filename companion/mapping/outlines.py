"""From a grid, a ring, a path or a cross to spaces: names, outlines in millimetres, and what follows from where they lie.

  grid   columns and rows: lines from left to right and from top to bottom; extra: squares beside the grid, in its own spacing
         ([column, row], the bottom row is 1); without: squares that the grid has not
  ring   centre, radii (ring's outer and inner, platform's outer and inner, as parts of the board's width), first (degrees clockwise
         from the top at which space 1 begins), clockwise, count, arrow (the number at which the platform's arrow points in the
         picture), discs
  path   parts in the order of the path, each a strip (four corners: start left, start right, end right, end left; and how many spaces
         it is cut into) or a disc; they are repeated round the centre; `once` is not
  cross  columns and rows as of a grid of 2 arms and three lanes; arm: how long; discs

A platform's spaces are given with its arrow at the last number, as in every board file; `shown` is where the picture has them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import cos, dist, radians, sin
from typing import Any

from companion.shapes import Outline, disc, rectangle, sector

Point = tuple[float, float]


@dataclass
class Drawn:
    """One space as its shape makes it."""

    id: str
    outline: Outline
    kinds: list[str] = field(default_factory=list)
    facts: dict[str, str | int] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    name: str = ""
    shown: Outline = field(default_factory=list)

    @property
    def centre(self) -> Point:
        return sum(x for x, _ in self.outline) / len(self.outline), sum(y for _, y in self.outline) / len(self.outline)


def drawn(shape: Mapping[str, Any], size_mm: Point, facts: Mapping[str, Any]) -> list[Drawn]:
    """All spaces of a shape on a board of this size; `facts` are the game's own for this shape (`mapping.toml`)."""
    if not shape:
        return []
    spaces = {"grid": _grid, "ring": _ring, "path": _path, "cross": _cross}[shape["kind"]](shape, size_mm, facts)
    for space in spaces:
        space.outline = [[round(x, 2), round(y, 2)] for x, y in space.outline]
        space.shown = space.shown or space.outline
    return spaces


# --- grid ---


def _grid(shape: Mapping[str, Any], size: Point, facts: Mapping[str, Any]) -> list[Drawn]:
    columns = [x * size[0] for x in shape["columns"]]
    rows = [y * size[1] for y in shape["rows"]]
    high, without = len(rows) - 1, {tuple(cell) for cell in shape["without"]}
    inside = [(c, r) for r in range(1, high + 1) for c in range(1, len(columns))]
    cells = [(c, r) for c, r in shape["extra"] if (c, r) not in inside] + [cell for cell in inside if cell not in without]
    out = []
    for column, row in sorted(cells, key=lambda cell: (cell[1], cell[0])):
        left, right = _line(columns, column - 1), _line(columns, column)
        top, bottom = _line(rows, high - row), _line(rows, high - row + 1)
        out.append(Drawn(square_id(column, row), rectangle(left, top, right - left, bottom - top), facts={"column": column, "row": row}))
    return out


def _line(lines: list[float], index: int) -> float:
    """A line of the grid, or one beside it in the same spacing."""
    if index < 0:
        return lines[0] + index * (lines[1] - lines[0])
    if index >= len(lines):
        return lines[-1] + (index - len(lines) + 1) * (lines[-1] - lines[-2])
    return lines[index]


def square_id(column: int, row: int) -> str:
    """As on a chessboard: a1 at the bottom left."""
    return f"{chr(96 + column)}{row}" if 1 <= column <= 26 and row >= 0 else f"x{column}y{row}"


# --- ring ---


def _ring(shape: Mapping[str, Any], size: Point, facts: Mapping[str, Any]) -> list[Drawn]:
    x, y = shape["centre"][0] * size[0], shape["centre"][1] * size[1]
    outer, inner, rim, hub = (radius * size[0] for radius in shape["radii"])
    count, step = shape["count"], 360 / shape["count"] * (1 if shape["clockwise"] else -1)

    def piece(far: float, near: float, number: int) -> Outline:
        start = shape["first"] + (number - 1) * step
        return sector(x, y, near, far, start, start + step)

    ring = [
        Drawn(f"B{n:02}", piece(outer, inner, n), ["base"], {"number": n}, name=str(n)) for n in range(1, count + 1)
    ]
    # In the file the arrow (place 0) points at the last number; turned about the middle of the board, as everybody turns it.
    platform = [
        Drawn(f"P{place:02}", piece(rim, hub, place or count), ["platform"], {"place": place}, shown=piece(rim, hub, place + shape["arrow"]))
        for place in range(count)
    ]
    return [*ring, *platform, *_discs(shape, size, str(facts.get("disc", "corner")))]


def _discs(shape: Mapping[str, Any], size: Point, kind: str) -> list[Drawn]:
    return [
        Drawn(f"C{i:02}", disc(d["at"][0] * size[0], d["at"][1] * size[1], d["radius"] * size[0]), [kind])
        for i, d in enumerate(shape["discs"], 1)
    ]


# --- path ---


def _path(shape: Mapping[str, Any], size: Point, facts: Mapping[str, Any]) -> list[Drawn]:
    """Its spaces by mark; then the links: round the loop, from each gate into it, and up each way to the goal."""
    centre = (shape["centre"][0] * size[0], shape["centre"][1] * size[1])
    chains: dict[str, list[list[Outline]]] = {}
    for turn in range(shape["repeat"]):
        degrees = 360 / shape["repeat"] * turn * (1 if shape["clockwise"] else -1)
        for part in shape["parts"]:
            if turn == 0 or not part["once"]:
                outlines = [_turned(outline, centre, degrees) for outline in _cut(part, size)]
                chains.setdefault(part["mark"], []).append(outlines)
    loop_kind, gate_kind, way_kind, goal_kind = (str(facts.get(key, key)) for key in ("loop", "gate", "way", "goal"))
    spaces = [
        Drawn(f"S{n:02}", outline, [loop_kind], {"number": n})
        for n, outline in enumerate((o for chain in chains.get(loop_kind, []) for o in chain), 1)
    ]
    if spaces and _clockwise([space.centre for space in spaces]) and not facts.get("loop_clockwise", False):
        spaces = [Drawn(f"S{n:02}", space.outline, space.kinds, {"number": n}) for n, space in enumerate(reversed(spaces), 1)]
    for space, following in zip(spaces, spaces[1:] + spaces[:1], strict=True):
        space.links["next"] = following.id
    goals = [Drawn(goal_kind.upper(), outline, [goal_kind], name=goal_kind.capitalize()) for chain in chains.get(goal_kind, []) for outline in chain]
    ways = [
        [Drawn(f"W{n}-{i}", outline, [way_kind], {"division": i}) for i, outline in enumerate(chain, 1)]
        for n, chain in enumerate(chains.get(way_kind, []), 1)
    ]
    for way in ways:
        for space, above in zip(way, [*way[1:], *goals[:1]], strict=False):
            space.links["up"] = above.id
    gates = [Drawn(f"G{n}", o, [gate_kind]) for n, o in enumerate((o for chain in chains.get(gate_kind, []) for o in chain), 1)]
    for gate in gates:
        if spaces:
            left = min(spaces, key=lambda s: dist(gate.centre, s.centre) + dist(gate.centre, _named(spaces, s.links["next"]).centre))
            gate.links |= {"left": left.id, "right": left.links["next"]}
        if ways:
            gate.links["up"] = min(ways, key=lambda way: dist(gate.centre, way[0].centre))[0].id
    return [*spaces, *gates, *(space for way in ways for space in way), *goals]


def _named(spaces: Iterable[Drawn], id: str) -> Drawn:
    return next(space for space in spaces if space.id == id)


def _cut(part: Mapping[str, Any], size: Point) -> list[Outline]:
    if "at" in part:
        return [disc(part["at"][0] * size[0], part["at"][1] * size[1], part["radius"] * size[0])]
    a, b, c, d = ((x * size[0], y * size[1]) for x, y in part["corners"])
    count = part["count"]
    rungs = [(_between(a, d, i / count), _between(b, c, i / count)) for i in range(count + 1)]
    return [[[*left], [*right], [*far_right], [*far_left]] for (left, right), (far_left, far_right) in itertools.pairwise(rungs)]


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _turned(outline: Outline, centre: Point, degrees: float) -> Outline:
    """Clockwise as seen, for y runs down."""
    angle = radians(degrees)
    return [
        [
            centre[0] + (x - centre[0]) * cos(angle) - (y - centre[1]) * sin(angle),
            centre[1] + (x - centre[0]) * sin(angle) + (y - centre[1]) * cos(angle),
        ]
        for x, y in outline
    ]


def _clockwise(points: list[Point]) -> bool:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True)) > 0


# --- cross ---


def _cross(shape: Mapping[str, Any], size: Point, facts: Mapping[str, Any]) -> list[Drawn]:
    """The road runs counter-clockwise from the outer end of the lower arm's right lane; the middle lanes lead to Home."""
    columns, rows = [x * size[0] for x in shape["columns"]], [y * size[1] for y in shape["rows"]]
    arm = shape["arm"]
    across = 2 * arm + 3
    owners = list(facts.get("owners", ("south", "east", "north", "west")))

    def square(column: int, row: int, quarters: int) -> Outline:
        for _ in range(quarters):
            column, row = row, across - 1 - column
        return rectangle(columns[column], rows[row], columns[column + 1] - columns[column], rows[row + 1] - rows[row])

    inward = [(arm + 2, row) for row in range(across - 1, arm + 2, -1)]
    outward = [(column, arm + 2) for column in range(arm + 3, across)]
    quarter = [*inward, *outward, (across - 1, arm + 1)]
    length = len(quarter) * 4
    out = []
    for turn in range(4):
        for i, place in enumerate(quarter):
            number = turn * len(quarter) + i
            space = Drawn(f"T{number:02}", square(*place, turn), ["road"], links={"next": f"T{(number + 1) % length:02}"})
            if i == len(quarter) - 1:  # the end of the next arm
                owner = owners[(turn + 1) % 4]
                space.links[f"lane-{owner}"] = f"{owner}-1"
            out.append(space)
    for turn, owner in enumerate(owners):
        for step in range(1, arm):
            outline = square(arm + 1, across - 1 - step, turn)
            then = f"{owner}-{step + 1}" if step < arm - 1 else "home"
            out.append(Drawn(f"{owner}-{step}", outline, ["lane"], {"owner": owner, "colour": owner}, {"next": then}))
    left, top, right, bottom = columns[arm], rows[arm], columns[arm + 3], rows[arm + 3]
    out.append(Drawn("home", rectangle(left, top, right - left, bottom - top), ["home"], name="Home"))
    middle = ((left + right) / 2, (top + bottom) / 2)
    for circle in _discs(shape, size, "start"):
        x, y = circle.centre
        at_right_of = owners[{(True, True): 0, (True, False): 1, (False, False): 2, (False, True): 3}[x > middle[0], y > middle[1]]]
        circle.facts |= {"owner": at_right_of, "colour": at_right_of}
        circle.name = f"{at_right_of}'s start circle"
        out.append(circle)
    return out
