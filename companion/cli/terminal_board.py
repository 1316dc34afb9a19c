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
STRETCHES = (1.0, 1.15, 1.3, 1.5)


def draw_terminal(board: Board, layout: Layout) -> str:
    """The board as lines of styled text, as narrow as it can be without printing over a neighbour."""
    turn = platform_turn(board, layout)
    boxes = {s.id: _box(placed(s, turn, board)) for s in board.spaces.values()}
    on_space: dict[str, list[str]] = {}
    for piece in sorted(layout.standing, key=lambda s: -s.level):
        on_space.setdefault(piece.space, []).append(piece.piece)
    places, _ = min((_places(boxes, stretch) for stretch in STRETCHES), key=lambda found: found[1])
    lines: dict[int, dict[int, str]] = {}
    for id, (line, column) in places.items():
        lines.setdefault(line, {})[column] = _cell(board, board.spaces[id], on_space.get(id, []))
    return "\n".join(_line(lines.get(i, {})) for i in range(min(lines), max(lines) + 1))


def _places(boxes: dict[str, tuple[float, float, float, float]], stretch: float) -> tuple[dict[str, tuple[int, int]], int]:
    """Line and column of each space, and by how many characters spaces had to make way for each other."""
    wide = median(x1 - x0 for x0, _, x1, _ in boxes.values()) / stretch
    high = median(y1 - y0 for _, y0, _, y1 in boxes.values()) / stretch
    places: dict[str, tuple[int, int]] = {}
    taken: dict[int, list[int]] = {}
    pushed = 0
    for id, (x0, y0, x1, y1) in sorted(boxes.items(), key=lambda item: item[1][0]):  # so that pushing keeps their order
        column, line = round((x0 + x1) / 2 / wide * CELL - CELL / 2), round((y0 + y1) / 2 / high * ROWS)
        while any(abs(column - other) < CELL for other in taken.get(line, ())):
            column, pushed = column + 1, pushed + 1
        places[id] = line, column
        taken.setdefault(line, []).append(column)
    return places, pushed


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
        return click.style(_label(space).center(CELL), bg=ground, fg=(70, 60, 50))
    shown = "".join(look(piece).letters for piece in pieces)[: CELL - 1]
    style = look(pieces[0])
    return click.style(shown.center(CELL - 1), bg=_rgb(style.fill), fg=_rgb(style.ink), bold=True) + click.style(" ", bg=ground)


def _label(space: Space) -> str:
    """What fits: the id, or the start of its name and its last number."""
    if len(space.id) <= CELL:
        return space.id
    number = space.id[-1] if space.id[-1].isdigit() else ""
    return space.name[: CELL - len(number)] + number


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
