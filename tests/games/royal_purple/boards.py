"""Boards for the tests: other layouts of the same game, made as data."""

from __future__ import annotations

from typing import Any

from companion.board import Board, board_from_json
from companion.shapes import rectangle

LETTERS = "abcdefghijklmnop"
CASTLES = ("red", "blue", "yellow", "green")


def grid(
    columns: int,
    rows: int,
    nobles: set[str],
    go: dict[str, str],
    thrones: dict[str, str],
    *,
    outside: dict[str, tuple[int, int]] | None = None,
    name: str = "test",
) -> dict[str, Any]:
    """A board file of so many columns and rows. `thrones`: square -> the side that it serves. `outside`: squares that stick out
    of the grid, with their column and row."""
    last = LETTERS[columns - 1]
    castles = dict(zip(("a1", f"a{rows}", f"{last}{rows}", f"{last}1"), CASTLES, strict=True))
    places = {LETTERS[x] + str(y): (x + 1, y) for y in range(1, rows + 1) for x in range(columns)} | (outside or {})
    special = {"noble": nobles, "go": go, "castle": castles, "throne": thrones}
    spaces = []
    for id, (column, row) in places.items():
        facts: dict[str, Any] = {"column": column, "row": row}
        facts |= {"owner": castles[id]} if id in castles else {}
        facts |= {"side": thrones[id]} if id in thrones else {}
        space: dict[str, Any] = {"id": id, "kinds": [kind for kind, where in special.items() if id in where] or ["plain"]}
        space |= {"facts": facts, "outline": rectangle(30 * column, 30 * (rows + 1 - row), 30, 30), "standing": "own copy"}
        space |= {"links": {"go": go[id]}} if id in go else {}
        spaces.append(space)
    return {
        "game": "royal_purple", "name": name, "title": "A board of the tests", "standing": "own copy",
        "size_mm": [30 * columns + 60, 30 * rows + 90], "spaces": spaces,
    }  # fmt: skip


# Nine columns, thirteen rows, other Nobles, Thrones of two squares.
TALL = grid(
    9, 13,
    {"c2", "g2", "b4", "d4", "f4", "h4", "c6", "g6", "e7", "c8", "g8", "b10", "d10", "f10", "h10", "c12", "g12"},
    {"e3": "e6", "e11": "e8", "a7": "d7", "i7": "f7"},
    {"d13": "south", "e13": "south", "e1": "north", "f1": "north"},
    name="tall",
)  # fmt: skip

# The usual size, with every kind of Go square that the leaflet does not speak of.
ODD = grid(
    11, 11,
    {"c3", "i3", "c9", "i9", "e5", "g5", "e7", "g7", "d2", "h2", "d10", "h10", "b4", "j4"},
    {
        "b2": "c3",  # to a Noble
        "b3": "a11",  # into blue's Castle
        "b5": "f11",  # to the Throne of the south pair
        "d4": "f1",  # to the Throne of the north pair
        "d6": "d8", "d8": "h8", "h8": "d6",  # from Go square to Go square, in a ring
        "e5": "k6",  # a Noble itself
        "h4": "a1",  # into red's Castle
        "j2": "g4",
        "c2": "c1",
    },
    {"f11": "south", "f1": "north"},
    name="odd",
)  # fmt: skip


def board(data: dict[str, Any]) -> Board:
    return board_from_json(data)
