"""Outlines of spaces in millimetres: what a grid, a ring or a cross is made of.

Used to write board files, by our own reconstructions and by whoever maps a real board.
"""

from __future__ import annotations

import json
from math import cos, radians, sin
from pathlib import Path
from typing import Any

Outline = list[list[float]]


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def disc(x: float, y: float, radius: float, corners: int = 24) -> Outline:
    return [on_circle(x, y, radius, 360 * i / corners) for i in range(corners)]


def sector(x: float, y: float, inner: float, outer: float, start: float, end: float, steps: int = 4) -> Outline:
    """A piece of a ring between two angles, in degrees clockwise from the top."""
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    return [on_circle(x, y, outer, a) for a in angles] + [on_circle(x, y, inner, a) for a in reversed(angles)]


def on_circle(x: float, y: float, radius: float, clockwise_from_top: float) -> list[float]:
    angle = radians(clockwise_from_top)
    return [round(x + radius * sin(angle), 2), round(y - radius * cos(angle), 2)]


def write_board(path: Path, board: dict[str, Any]) -> None:
    """A board file that a person can read and compare: one line a space."""
    head = {key: value for key, value in board.items() if key != "spaces"}
    lines = [json.dumps(space, ensure_ascii=False) for space in board["spaces"]]
    text = json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "spaces": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
    path.write_text(text, "utf-8")
