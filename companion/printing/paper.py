"""Sheets of paper: a drawing larger than a page is cut into tiles that overlap, small things share a page.

Every page has the 100 mm check line in its foot: if a ruler says otherwise, the printer has scaled the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from companion.events import BadInput
from companion.printing.pen import BOLD, GREY, INK, Pen

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
MARGIN, FOOT = 8.0, 20.0  # what most printers leave alone, and room for marks
OVERLAP = 10.0  # neighbouring tiles show this strip twice, for glue
CHECK_MM = 100.0
GAP = 6.0  # between things that share a page

Draw = Callable[[Pen], None]


class Drawing(NamedTuple):
    """Something of a true size, in millimetres; `draw` draws it from its own top left corner."""

    name: str
    width: float
    height: float
    draw: Draw


class Tile(NamedTuple):
    """A window onto a drawing that fits on one page: its column and row, its corner in the drawing, its size."""

    column: int
    row: int
    x: float
    y: float
    width: float
    height: float

    @property
    def label(self) -> str:
        return f"{_letters(self.row)}{self.column + 1}"


def window(page: tuple[float, float]) -> tuple[float, float]:
    """How much of a page a drawing may use."""
    return page[0] - 2 * MARGIN, page[1] - MARGIN - FOOT


def page_for(width: float, height: float, paper: str) -> tuple[float, float]:
    """The paper upright or across, whichever takes fewer pages."""
    upright = PAPERS[paper]
    across = (upright[1], upright[0])
    return min((upright, across), key=lambda page: len(tiles(width, height, page)))


def tiles(width: float, height: float, page: tuple[float, float]) -> list[Tile]:
    """Windows that cover a drawing, row by row; neighbours share a strip of OVERLAP."""
    across, down = window(page)
    return [
        Tile(column, row, x, y, x_end - x, y_end - y)
        for row, (y, y_end) in enumerate(_spans(height, down))
        for column, (x, x_end) in enumerate(_spans(width, across))
    ]


def _spans(length: float, most: float) -> list[tuple[float, float]]:
    """As few stretches as cover the length, all alike, so that no page holds a mere sliver."""
    count = max(1, ceil((length - OVERLAP) / (most - OVERLAP)))
    step = (length - OVERLAP) / count
    return [(i * step, i * step + step + OVERLAP) for i in range(count)]


def _letters(number: int) -> str:
    """A to Z, then AA, AB and so on: a board of three metres has many rows."""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(65 + number % 26)


def print_tiled(pen: Pen, drawing: Drawing, paper: str) -> None:
    """A drawing over as many pages as it needs, with marks for cutting and gluing."""
    page = page_for(drawing.width, drawing.height, paper)
    all_tiles = tiles(drawing.width, drawing.height, page)
    for tile in all_tiles:
        pen.page(*page)
        with pen.inside(MARGIN, MARGIN, tile.width, tile.height), pen.moved(MARGIN - tile.x, MARGIN - tile.y):
            drawing.draw(pen)
        _crop_marks(pen, MARGIN, MARGIN, tile.width, tile.height)
        _overlap_marks(pen, tile, all_tiles)
        _foot(pen, page, f"{drawing.name}, sheet {tile.label} ({all_tiles.index(tile) + 1} of {len(all_tiles)})")
        if len(all_tiles) > 1:
            _map(pen, page, tile, all_tiles)


def print_packed(pen: Pen, name: str, drawings: Sequence[Drawing], paper: str) -> None:
    """Small drawings side by side, in their order, on as few pages as that takes."""
    pages = pack(drawings, paper)
    for number, placed in enumerate(pages, 1):
        pen.page(*PAPERS[paper])
        for drawing, x, y in placed:
            with pen.moved(x, y):
                drawing.draw(pen)
        _foot(pen, PAPERS[paper], f"{name}, sheet {number} of {len(pages)}")


def pack(drawings: Sequence[Drawing], paper: str) -> list[list[tuple[Drawing, float, float]]]:
    """Where each drawing goes: rows from left to right, as high as their highest, page after page."""
    across, down = window(PAPERS[paper])
    pages: list[list[tuple[Drawing, float, float]]] = [[]]
    x = y = row_height = 0.0
    for drawing in drawings:
        if drawing.width > across or drawing.height > down:
            raise BadInput(f"paper: {drawing.name} does not fit on {paper}; choose another paper")
        if x + drawing.width > across:
            x, y, row_height = 0.0, y + row_height + GAP, 0.0
        if y + drawing.height > down:
            pages.append([])
            x = y = row_height = 0.0
        pages[-1].append((drawing, MARGIN + x, MARGIN + y))
        x, row_height = x + drawing.width + GAP, max(row_height, drawing.height)
    return pages


def _crop_marks(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    """Short lines that point at the four corners from outside."""
    for corner_x, outwards_x in ((x, -1), (x + width, 1)):
        for corner_y, outwards_y in ((y, -1), (y + height, 1)):
            pen.line(corner_x + 1.5 * outwards_x, corner_y, corner_x + 6 * outwards_x, corner_y)
            pen.line(corner_x, corner_y + 1.5 * outwards_y, corner_x, corner_y + 6 * outwards_y)


def _overlap_marks(pen: Pen, tile: Tile, others: Sequence[Tile]) -> None:
    """Where the next sheet's cut edge is laid on this one: dashed, in the margin only, so that nothing is drawn on the board."""
    right = next((t for t in others if (t.column, t.row) == (tile.column + 1, tile.row)), None)
    below = next((t for t in others if (t.column, t.row) == (tile.column, tile.row + 1)), None)
    x, y, bottom, end = MARGIN, MARGIN, MARGIN + tile.height, MARGIN + tile.width
    if right:
        pen.line(end - OVERLAP, y - 6, end - OVERLAP, y - 1, GREY, 0.3, dashed=True)
        pen.line(end - OVERLAP, bottom + 1, end - OVERLAP, bottom + 6, GREY, 0.3, dashed=True)
        pen.text(end - OVERLAP - 1.5, y - 2.5, f"edge of {right.label}", 2.4, GREY, "right")
    if below:
        pen.line(x - 6, bottom - OVERLAP, x - 1, bottom - OVERLAP, GREY, 0.3, dashed=True)
        pen.line(end + 1, bottom - OVERLAP, end + 6, bottom - OVERLAP, GREY, 0.3, dashed=True)
        with pen.moved(x - 2.5, bottom - OVERLAP - 1.5, -1):
            pen.text(0, 0, f"edge of {below.label}", 2.4, GREY)


def _foot(pen: Pen, page: tuple[float, float], name: str) -> None:
    """The check line, and what this sheet is."""
    x, y = MARGIN + 10, page[1] - 6.5  # clear of the crop mark
    pen.line(x, y, x + CHECK_MM, y, width=0.3)
    for end in (x, x + CHECK_MM):
        pen.line(end, y - 2, end, y + 2, width=0.2)
    pen.text(x, y - 3.6, name, 2.6, INK, font=BOLD)
    pen.text(x + CHECK_MM + 3, y + 0.8, "is 100 mm, or print again at 100 %", 2.4, INK)


def _map(pen: Pen, page: tuple[float, float], tile: Tile, others: Sequence[Tile]) -> None:
    """A small plan of all sheets with this one filled."""
    columns, rows = max(t.column for t in others) + 1, max(t.row for t in others) + 1
    size = min(4.0, 8.0 / rows, 30.0 / columns)
    x, y = page[0] - MARGIN - 10 - columns * size, page[1] - FOOT + 1.5
    for other in others:
        fill = INK if other == tile else ""
        pen.rectangle(x + other.column * size, y + other.row * size, size, size, fill, GREY)


def cut_lengths(length: float, most: float, whole: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Pieces of a long strip, each at most `most`, that overlap by OVERLAP nowhere inside one of the `whole` stretches."""
    pieces, start = [], 0.0
    while start + most < length:
        end = start + most
        for begin, stop in reversed(whole):
            if end > begin and end - OVERLAP < stop:
                end = begin
        if end <= start + OVERLAP:
            raise BadInput("paper: it is too short for the strips of this frame; choose larger paper")
        pieces.append((start, end))
        start = end - OVERLAP
    return [*pieces, (start, length)]


def seams(pieces: Sequence[tuple[float, float]]) -> list[float]:
    """Where the next piece's edge is laid on the one before."""
    return [after[0] for _, after in pairwise(pieces)]
