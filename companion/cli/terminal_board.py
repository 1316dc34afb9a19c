"""A board in the terminal, in colour: every space where it lies, whatever the shape of the board."""

from __future__ import annotations

from statistics import median

import click

from companion.board import Board, Space
from companion.draw import placed, platform_turn, space_fill
from companion.layout import Layout
from companion.looks import look

CELL = 5  # characters for a space of usual width
ROWS = 2  # lines for a space of usual height


def draw_terminal(board: Board, layout: Layout) -> str:
    """The board as lines of styled text."""
    turn = platform_turn(board, layout)
    boxes = {s.id: _box(placed(s, turn, board)) for s in board.spaces.values()}
    wide = median(x1 - x0 for x0, _, x1, _ in boxes.values())
    high = median(y1 - y0 for _, y0, _, y1 in boxes.values())
    on_space: dict[str, list[str]] = {}
    for piece in sorted(layout.standing, key=lambda s: -s.level):
        on_space.setdefault(piece.space, []).append(piece.piece)
    lines: dict[int, dict[int, str]] = {}
    for space in board.spaces.values():
        x0, y0, x1, y1 = boxes[space.id]
        column = round((x0 + x1) / 2 / wide * CELL - CELL / 2)
        line = round((y0 + y1) / 2 / high * ROWS)
        row = lines.setdefault(line, {})
        while any(abs(column - taken) < CELL for taken in row):  # never print over a neighbour
            column += 1
        row[column] = _cell(board, space, on_space.get(space.id, []))
    return "\n".join(_line(lines.get(i, {})) for i in range(min(lines), max(lines) + 1))


def _box(points: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _line(cells: dict[int, str]) -> str:
    text, at = "", 0
    for column in sorted(cells):
        text += " " * (column - at) + cells[column]
        at = column + CELL
    return text


def _cell(board: Board, space: Space, pieces: list[str]) -> str:
    ground = _rgb(space_fill(board, space))
    if not pieces:
        return click.style(space.id[:CELL].center(CELL), bg=ground, fg=(70, 60, 50))
    shown = "".join(look(piece).letters for piece in pieces)[: CELL - 1]
    style = look(pieces[0])
    return click.style(shown.center(CELL - 1), bg=_rgb(style.fill), fg=_rgb(style.ink), bold=True) + click.style(" ", bg=ground)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
