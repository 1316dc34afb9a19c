"""The tags alone, on strips that are laid round any board of a given size."""

from __future__ import annotations

from typing import NamedTuple

from companion.events import BadInput
from companion.printing.paper import OVERLAP, PAPERS, Drawing, cut_lengths, print_packed, seams, window
from companion.printing.pen import BOLD, GREY, INK, Pen
from companion.tags import BAND_MM, CELL_MM, QUIET_MM, SMALLEST_BOARD_MM, cells, tag_corners

LARGEST_BOARD_MM = 3000.0
LABEL_MM = 34.0  # room for what a strip says of itself


def frame_pdf(size_mm: tuple[float, float], paper: str) -> bytes:
    title = f"Tag frame for a board of {size_mm[0]:g} × {size_mm[1]:g} mm"
    pen = Pen(title)
    print_packed(pen, title, strips(size_mm, paper), paper)
    return pen.done()


def draw_tag(pen: Pen, tag: int, x: float, y: float) -> None:
    pen.squares([(x + column * CELL_MM, y + row * CELL_MM) for column, row in cells(tag)], CELL_MM, "#000000")


def strips(size_mm: tuple[float, float], paper: str) -> list[Drawing]:
    """The four sides, cut where no tag is: above and below with the corners, left and right between them."""
    width, height = size_mm
    if not all(SMALLEST_BOARD_MM <= side <= LARGEST_BOARD_MM for side in size_mm):
        raise BadInput(f"size: each side of the board must have {SMALLEST_BOARD_MM:g} to {LARGEST_BOARD_MM:g} mm")
    sides = (
        Side("top", -BAND_MM, -BAND_MM, width + 2 * BAND_MM, upright=False),
        Side("right", width, 0, height, upright=True),
        Side("bottom", -BAND_MM, height, width + 2 * BAND_MM, upright=False),
        Side("left", -BAND_MM, 0, height, upright=True),
    )
    most = window(PAPERS[paper])[1]
    found = [strip for side in sides for strip in _cut(side, size_mm, most)]
    return sorted(found, key=lambda strip: -strip.height)  # equal lengths share a row


class Side(NamedTuple):
    """One side of the band: its corner in the board's own places, its length, and whether it runs downwards."""

    name: str
    x: float
    y: float
    length: float
    upright: bool

    def tags(self, size_mm: tuple[float, float]) -> list[tuple[float, float]]:
        """The stretches along this side that belong to a tag and the white round it."""
        found = []
        for corners in tag_corners(size_mm).values():
            right, down = corners[0][0] - self.x - QUIET_MM, corners[0][1] - self.y - QUIET_MM
            along, across = (down, right) if self.upright else (right, down)
            if across == 0 and 0 <= along < self.length:
                found.append((along, along + BAND_MM))
        return sorted(found)


def _cut(side: Side, size_mm: tuple[float, float], most: float) -> list[Drawing]:
    tags = side.tags(size_mm)
    pieces = cut_lengths(side.length, most, tags)
    return [
        _strip(side, f"{side.name} {number} of {len(pieces)}", size_mm, piece, seams(pieces), tags)
        for number, piece in enumerate(pieces, 1)
    ]


def _strip(
    side: Side, label: str, size_mm: tuple[float, float], piece: tuple[float, float], seam: list[float], tags: list[tuple[float, float]]
) -> Drawing:
    """A piece of one side. On paper all strips stand upright; those from above and below are turned by a quarter."""
    start, end = piece
    free = _free_stretch(start, end, tags)

    def draw(pen: Pen) -> None:
        with pen.inside(0, 0, BAND_MM, end - start):
            if side.upright:
                with pen.moved(-side.x, -side.y - start):
                    _frame(pen, size_mm)
            else:
                with pen.moved(BAND_MM, 0, 1), pen.moved(-side.x - start, -side.y):
                    _frame(pen, size_mm)
        pen.rectangle(0, 0, BAND_MM, end - start, stroke=GREY, line=0.15)
        if free is not None:
            with pen.moved(BAND_MM / 2, free - start, 1):
                pen.text(0, 0, label, 3, font=BOLD)
                pen.text(0, 4, "thick edge to the board", 2, GREY)
        for place in seam:
            if start < place < end:
                pen.line(0, place - start, BAND_MM, place - start, GREY, 0.2, dashed=True)

    return Drawing(f"strip {label}", BAND_MM, end - start, draw)


def _free_stretch(start: float, end: float, tags: list[tuple[float, float]]) -> float | None:
    """Where the label goes: on white paper that no tag needs and no glue covers."""
    for place in (start + OVERLAP + 2, *(stop + 2 for _, stop in tags)):
        clear = all(place + LABEL_MM <= begin or place >= stop for begin, stop in tags)
        if start < place and place + LABEL_MM <= end - OVERLAP and clear:
            return place
    return None


def _frame(pen: Pen, size_mm: tuple[float, float]) -> None:
    """Everything that lies round the board; a strip is a window onto it."""
    for tag, corners in tag_corners(size_mm).items():
        draw_tag(pen, tag, *corners[0])
    pen.rectangle(0, 0, *size_mm, stroke=INK, line=1)
