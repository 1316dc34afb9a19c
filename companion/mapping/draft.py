"""What the host has said of a board so far: a list of steps, of which the last can always be taken back.

A point is given as a fraction of the board's width and height, once its corners are known; a corner as a fraction of the picture's.
The steps, each an object with `do`:
  corners  {corners: [[x, y] × 4]}                 top left, top right, bottom right, bottom left, in the picture
  size     {size_mm: [width, height]}              measured with a ruler
  shape    {shape: {kind: grid | ring | path | cross, …}}   see `outlines.py`
  mark     {mark, spaces: [id], off?: bool}        a name of the game's palette
  link     {mark, space, to}                       where a space sends
  title    {title}
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.events import BadInput, brief, known_keys, one_of
from companion.mapping.palette import SHAPES, Palette

VERSION = 1
MOST_STEPS = 2000
MOST_POINTS = 400
MOST_LINES = 61  # sixty columns or rows
MOST_SPACES = 1500
FIELDS = {
    "corners": ("corners",), "size": ("size_mm",), "shape": ("shape",), "mark": ("mark", "spaces", "off"), "link": ("mark", "space", "to"),
    "title": ("title",),
}  # fmt: skip
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")

Step = dict[str, Any]
Point = tuple[float, float]


@dataclass
class Said:
    """All steps together: what holds now."""

    title: str = ""
    corners: list[Point] = field(default_factory=list)
    size_mm: Point = (400.0, 400.0)
    measured: bool = False
    shape: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, list[str]] = field(default_factory=dict)  # space -> names of the palette, in the order they were given
    links: dict[str, dict[str, str]] = field(default_factory=dict)  # space -> link -> space


def said(steps: list[Step], palette: Palette) -> Said:
    out = Said()
    for step in steps:
        _say(out, step, palette)
    return out


def _say(out: Said, step: Step, palette: Palette) -> None:
    do = step["do"]
    if do == "corners":
        out.corners = [(float(x), float(y)) for x, y in step["corners"]]
    elif do == "size":
        out.size_mm, out.measured = (float(step["size_mm"][0]), float(step["size_mm"][1])), True
    elif do == "title":
        out.title = step["title"]
    elif do == "shape":
        if out.shape.get("kind") != step["shape"]["kind"]:
            out.marks, out.links = {}, {}  # other spaces: nothing that was said of the old ones holds
        out.shape = step["shape"]
    elif do == "link":
        out.links.setdefault(step["space"], {})[palette.marks[step["mark"]].link] = step["to"]
        _mark(out, step["space"], step["mark"], palette)
    else:
        for space in step["spaces"]:
            if step.get("off"):
                kept = [name for name in out.marks.get(space, []) if name != step["mark"]]
                out.marks[space] = kept
                out.links.get(space, {}).pop(palette.marks[step["mark"]].link, None)
            else:
                _mark(out, space, step["mark"], palette)


def _mark(out: Said, space: str, name: str, palette: Palette) -> None:
    others = {mark.name for mark in palette.of_group(palette.marks[name].group)} | {name}
    for other in others - {name}:
        if other in out.marks.get(space, []):
            out.links.get(space, {}).pop(palette.marks[other].link, None)
    out.marks[space] = [*(kept for kept in out.marks.get(space, []) if kept not in others), name]


# --- checking what came from a phone or a file ---


def checked_step(data: object, palette: Palette) -> Step:
    """A step in order; whatever is wrong with it is said."""
    if not isinstance(data, dict):
        raise BadInput(f"step: must be an object, not {brief(data)}")
    do = one_of("do", data.get("do"), FIELDS)
    known_keys("step", data, ("do", *FIELDS[do]))
    if do == "corners":
        corners = _points("corners", data.get("corners"), 4, 4, -0.2, 1.2)
        _convex(corners)
        return {"do": do, "corners": corners}
    if do == "size":
        size = data.get("size_mm")
        if not isinstance(size, list) or len(size) != 2 or not all(_is_number(v) and 50 <= v <= 2000 for v in size):
            raise BadInput("size_mm: must be width and height in millimetres, each from 50 to 2000; measure the board with a ruler")
        return {"do": do, "size_mm": [round(float(v), 1) for v in size]}
    if do == "title":
        return {"do": do, "title": checked_title(data.get("title"))}
    if do == "shape":
        return {"do": do, "shape": checked_shape(data.get("shape"))}
    name = one_of("mark", data.get("mark"), palette.marks)
    if do == "link":
        if not palette.marks[name].link:
            raise BadInput(f"mark: {brief(name)} sends nowhere")
        return {"do": do, "mark": name, "space": _id(data.get("space")), "to": _id(data.get("to"))}
    spaces = data.get("spaces")
    if not isinstance(spaces, list) or not 1 <= len(spaces) <= MOST_SPACES:
        raise BadInput(f"spaces: must be a list of 1 to {MOST_SPACES} spaces")
    off = data.get("off", False)
    if not isinstance(off, bool):
        raise BadInput("off: must be true or false")
    return {"do": do, "mark": name, "spaces": [_id(space) for space in spaces]} | ({"off": True} if off else {})


def checked_title(title: object) -> str:
    if not isinstance(title, str) or not 1 <= len(title.strip()) <= 80 or not title.strip().isprintable():
        raise BadInput("title: give the board a name of 1 to 80 characters, such as 'Grandmother's board'")
    return title.strip()


def checked_shape(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadInput(f"shape: must be an object, not {brief(data)}")
    kind = one_of("kind of board", data.get("kind"), SHAPES)
    return {"grid": _grid, "ring": _ring, "path": _path, "cross": _cross}[kind](data) | {"kind": kind}


def _grid(data: Mapping[str, Any]) -> dict[str, Any]:
    known_keys("shape", data, ("kind", "columns", "rows", "extra", "without"))
    return {
        "columns": _lines("columns", data.get("columns")),
        "rows": _lines("rows", data.get("rows")),
        "extra": _cells("extra", data.get("extra", [])),
        "without": _cells("without", data.get("without", [])),
    }


def _ring(data: Mapping[str, Any]) -> dict[str, Any]:
    known_keys("shape", data, ("kind", "centre", "radii", "first", "clockwise", "count", "arrow", "discs"))
    radii = data.get("radii")
    if not isinstance(radii, list) or len(radii) != 4 or not all(_is_number(r) and 0.005 <= r <= 1 for r in radii):
        raise BadInput("radii: must be four: the ring's outer and inner, the platform's outer and inner, as parts of the board's width")
    if not radii[0] > radii[1] >= radii[2] > radii[3]:
        raise BadInput("radii: must grow smaller: the ring's outer and inner, then the platform's outer and inner")
    clockwise = data.get("clockwise", True)
    if not isinstance(clockwise, bool):
        raise BadInput("clockwise: must be true or false")
    return {
        "centre": _points("centre", [data.get("centre")], 1, 1)[0],
        "radii": [float(r) for r in radii],
        "first": _number("first", data.get("first"), -360, 360),
        "clockwise": clockwise,
        "count": _whole("count", data.get("count"), 4, 100),
        "arrow": _whole("arrow", data.get("arrow"), 1, 100),
        "discs": _discs(data.get("discs", [])),
    }


def _path(data: Mapping[str, Any]) -> dict[str, Any]:
    known_keys("shape", data, ("kind", "centre", "repeat", "clockwise", "parts"))
    parts = data.get("parts", [])
    if not isinstance(parts, list) or len(parts) > MOST_POINTS:
        raise BadInput(f"parts: must be a list of at most {MOST_POINTS} parts of the path")
    clockwise = data.get("clockwise", False)
    if not isinstance(clockwise, bool):
        raise BadInput("clockwise: must be true or false")
    repeat = data.get("repeat", 1)
    if repeat not in (1, 2, 3, 4, 6) or isinstance(repeat, bool):
        raise BadInput("repeat: must be 1, 2, 3, 4 or 6: how often the part that was tapped comes round the board")
    return {
        "centre": _points("centre", [data.get("centre", [0.5, 0.5])], 1, 1)[0],
        "repeat": repeat,
        "clockwise": clockwise,
        "parts": [_part(part) for part in parts],
    }


def _part(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise BadInput(f"parts: each must be an object, not {brief(data)}")
    known_keys("part", data, ("mark", "corners", "count", "at", "radius", "once"))
    mark, once = data.get("mark"), data.get("once", False)
    if not isinstance(mark, str) or not re.fullmatch(r"[a-z][a-z0-9_-]{0,31}", mark) or not isinstance(once, bool):
        raise BadInput("parts: each needs a mark of the palette; once is true or false")
    if "corners" in data:
        corners, count = _points("corners", data["corners"], 4, 4), _whole("count", data.get("count", 1), 1, 60)
        return {"mark": mark, "corners": corners, "count": count, "once": once}
    return {"mark": mark, "once": once} | _discs([{"at": data.get("at"), "radius": data.get("radius")}])[0]


def _cross(data: Mapping[str, Any]) -> dict[str, Any]:
    known_keys("shape", data, ("kind", "columns", "rows", "arm", "discs"))
    columns, rows = _lines("columns", data.get("columns")), _lines("rows", data.get("rows"))
    arm = _whole("arm", data.get("arm"), 2, 20)
    if not len(columns) == len(rows) == 2 * arm + 4:
        raise BadInput(f"arm: with arms of {arm} spaces and three lanes, {2 * arm + 4} lines are needed each way, not {len(columns)} and {len(rows)}")
    return {"columns": columns, "rows": rows, "arm": arm, "discs": _discs(data.get("discs", []))}


def _lines(what: str, value: object) -> list[float]:
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_LINES or not all(_is_number(v) and -0.05 <= v <= 1.05 for v in value):
        raise BadInput(f"{what}: must be 2 to {MOST_LINES} lines, each a part of the board from 0 to 1")
    lines = [round(float(v), 5) for v in value]
    if any(b - a < 0.004 for a, b in itertools.pairwise(lines)):
        raise BadInput(f"{what}: the lines must lie apart, one after the other")
    return lines


def _cells(what: str, value: object) -> list[list[int]]:
    if (
        not isinstance(value, list)
        or len(value) > MOST_POINTS
        or not all(isinstance(c, list) and len(c) == 2 and all(_is_whole(v) and -20 <= v <= 80 for v in c) for c in value)
    ):
        raise BadInput(f"{what}: must be a list of squares, each [column, row]")
    return [list(cell) for cell in dict.fromkeys(tuple(c) for c in value)]


def _discs(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or len(value) > MOST_POINTS or not all(isinstance(d, dict) for d in value):
        raise BadInput("discs: must be a list of circles, each {at, radius}")
    out = []
    for disc in value:
        known_keys("disc", disc, ("at", "radius"))
        out.append({"at": _points("at", [disc.get("at")], 1, 1)[0], "radius": _number("radius", disc.get("radius"), 0.005, 0.4)})
    return out


def _points(what: str, value: object, least: int, most: int, low: float = -0.05, high: float = 1.05) -> list[list[float]]:
    if (
        not isinstance(value, list)
        or not least <= len(value) <= most
        or not all(isinstance(p, list) and len(p) == 2 and all(_is_number(v) and low <= v <= high for v in p) for p in value)
    ):
        raise BadInput(f"{what}: must be {'a point' if most == 1 else f'{most} points'} [x, y], each a part from 0 to 1")
    return [[round(float(x), 5), round(float(y), 5)] for x, y in value]


def _convex(corners: list[list[float]]) -> None:
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    if not all(turn > 1e-4 for turn in turns):
        raise BadInput("corners: must run clockwise round the board: top left, top right, bottom right, bottom left")


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise BadInput(f"space: {brief(value)} is no name of a space")
    return value


def _number(what: str, value: object, low: float, high: float) -> float:
    if not _is_number(value) or not low <= value <= high:  # type: ignore[operator]
        raise BadInput(f"{what}: must be a number from {low:g} to {high:g}, not {brief(value)}")
    return round(float(value), 5)  # type: ignore[arg-type]


def _whole(what: str, value: object, low: int, high: int) -> int:
    if not _is_whole(value) or not low <= value <= high:  # type: ignore[operator]
        raise BadInput(f"{what}: must be a whole number from {low} to {high}, not {brief(value)}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
