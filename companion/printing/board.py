"""A board on paper: the whole of it at true size, and round it the tags by which the camera finds it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.board import Board, Space
from companion.draw import LINE, draw_svg
from companion.printing.frame import draw_tag
from companion.printing.paper import Drawing, print_tiled
from companion.printing.pen import BOLD, INK, Pen, wrapped
from companion.tags import BAND_MM, QUIET_MM, TAG_MM, tag_corners

FOOT_MM = 14.0  # below a board without tags: room for its name and standing
STANDING_WORDS = {
    "leaflet": "from the leaflet", "published": "from a published source", "deduced": "deduced",
    "reconstruction": "reconstruction", "own copy": "from one's own copy",
}  # fmt: skip


def board_pdf(board: Board, paper: str, tags: bool = True) -> bytes:
    pen = Pen(f"{board.title} ({board.standing})")
    print_tiled(pen, board_drawing(board, tags), paper)
    if board.of_kind("platform"):
        print_tiled(pen, platform_drawing(board), paper)
    return pen.done()


def board_drawing(board: Board, tags: bool = True) -> Drawing:
    width, height = board.size_mm
    side = BAND_MM if tags else 0.0
    below = BAND_MM if tags else FOOT_MM

    def draw(pen: Pen) -> None:
        with pen.moved(side, side):
            pen.picture(draw_svg(board))
            pen.rectangle(0, 0, width, height, stroke=INK, line=0.4)
            if tags:
                for tag, corners in tag_corners(board.size_mm).items():
                    draw_tag(pen, tag, *corners[0])
            _caption(pen, board, tags)

    return Drawing(board.title, width + 2 * side, side + height + below, draw)


def _caption(pen: Pen, board: Board, tags: bool) -> None:
    """The board's name and how sure we are of it, below the board, clear of the tags."""
    width, height = board.size_mm
    x = QUIET_MM
    room = (width - TAG_MM) / 2 - 3 * QUIET_MM if tags else width - 2 * QUIET_MM
    pen.text(x, height + 6, board.title, min(4.0, room / len(board.title) * 1.6), font=BOLD)
    for number, line in enumerate(wrapped(known_from(board), 3, room)[:5 if tags else 2]):
        pen.text(x, height + 10.5 + 4.2 * number, line, 3)


def known_from(board: Board) -> str:
    """'reconstruction: of 52 spaces 40 reconstruction, 12 from the leaflet'."""
    counts = Counter(space.standing for space in board.spaces.values())
    parts = ", ".join(f"{number} {STANDING_WORDS[standing]}" for standing, number in counts.most_common())
    return f"This board is {_article(board.standing)}. Its {len(board.spaces)} spaces: {parts}."


def _article(standing: str) -> str:
    return {"reconstruction": "a reconstruction", "own copy": "a player's own copy"}.get(standing, f"known: {STANDING_WORDS[standing]}")


def platform_drawing(board: Board) -> Drawing:
    """A platform that turns, alone: to be cut out and pinned on the board at its middle."""
    middle = board.size_mm[0] / 2, board.size_mm[1] / 2
    on_it = {space.id: space for space in board.of_kind("platform")}
    radius = max(_distance(middle, space) for space in on_it.values())
    alone = replace(board, spaces=on_it)

    def draw(pen: Pen) -> None:
        with pen.moved(radius - middle[0], radius - middle[1]):
            with pen.inside_circle(*middle, radius):
                pen.picture(draw_svg(alone))
            pen.circle(*middle, radius, stroke=LINE, width=0.4)
            for dx, dy in ((4, 0), (0, 4)):
                pen.line(middle[0] - dx, middle[1] - dy, middle[0] + dx, middle[1] + dy)

    return Drawing(f"{board.title}: the platform, to cut out", 2 * radius, 2 * radius, draw)


def _distance(middle: tuple[float, float], space: Space) -> float:
    return float(max(((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5 for x, y in space.outline))
