"""The eight tags round a board: what each looks like, and where it lies. Pure data, for the printer and for the camera.

The tags are the first eight of OpenCV's dictionary DICT_4X4_50, stored here as bits (1 is white) so that printing needs no
OpenCV; a test compares them with it. A tag is 6 × 6 cells: a black border one cell wide round its 4 × 4 bits.

They lie on a white band round the board, clockwise from its top left corner:

    0  1  2
    7     3
    6  5  4

Places are in millimetres from the board's own top left corner, x to the right, y down, as in board files; the band lies outside
the board, so many are negative. All tags stand upright as seen by whoever reads the board's title.
"""

from __future__ import annotations

from collections.abc import Mapping

Point = tuple[float, float]

DICTIONARY = "DICT_4X4_50"
BITS: Mapping[int, tuple[str, str, str, str]] = {
    0: ("1011", "0101", "0011", "0010"),
    1: ("0000", "1111", "1001", "1010"),
    2: ("0011", "0011", "0010", "1101"),
    3: ("1001", "1001", "0100", "0110"),
    4: ("0101", "0100", "1001", "1110"),
    5: ("0111", "1001", "1100", "1101"),
    6: ("1001", "1110", "0010", "1110"),
    7: ("1100", "0100", "1111", "0010"),
}
TAG_MM = 30.0  # a tag's side, black border included
QUIET_MM = 5.0  # white on every side of it
BAND_MM = TAG_MM + 2 * QUIET_MM  # the width of the white band round the board
CELL_MM = TAG_MM / 6
SMALLEST_BOARD_MM = BAND_MM  # on a side this long the middle tag still lies clear of the corners


def cells(tag: int) -> list[tuple[int, int]]:
    """The black cells of a tag as (column, row), 0 to 5 from its top left corner."""
    rows = ["000000", *(f"0{row}0" for row in BITS[tag]), "000000"]
    return [(x, y) for y, row in enumerate(rows) for x, bit in enumerate(row) if bit == "0"]


def tag_corners(size_mm: tuple[float, float]) -> dict[int, tuple[Point, Point, Point, Point]]:
    """The corners of each tag round a board of this size: top left, top right, bottom right, bottom left, as OpenCV orders them."""
    width, height = size_mm
    near, far_x, far_y = -QUIET_MM - TAG_MM, width + QUIET_MM, height + QUIET_MM
    middle_x, middle_y = (width - TAG_MM) / 2, (height - TAG_MM) / 2
    top_left = {
        0: (near, near), 1: (middle_x, near), 2: (far_x, near), 3: (far_x, middle_y),
        4: (far_x, far_y), 5: (middle_x, far_y), 6: (near, far_y), 7: (near, middle_y),
    }  # fmt: skip
    side = TAG_MM
    return {tag: ((x, y), (x + side, y), (x + side, y + side), (x, y + side)) for tag, (x, y) in top_left.items()}
