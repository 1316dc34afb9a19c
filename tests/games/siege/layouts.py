"""Other boards for Siege, written as files: the rules take them without any change of code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.board import Board, load_board
from companion.shapes import rectangle, write_board

COLUMNS = "abcdefghijkl"
KINDS = {"g": "green", "b": "blue", "c": "castle", "D": "castle dot", "K": "castle crown", "s": "green start"}


def written(path: Path, rows: list[str], first_row: int = 0) -> Board:
    """A board from a drawing, rear row first, and back again from its file.

    g green, b blue, c Castle, D Castle with a dot, K Castle with a Crown, s Knights' square, a full stop no square.
    """
    write_board(path, drawn(rows, first_row))
    return load_board(path)


def drawn(rows: list[str], first_row: int = 0) -> dict[str, Any]:
    spaces = []
    for down, line in enumerate(rows):
        row = first_row + len(rows) - 1 - down
        spaces += [
            {
                "id": f"{COLUMNS[across]}{row}",
                "kinds": KINDS[letter].split(),
                "facts": {"column": across + 1, "row": row},
                "outline": rectangle(10 + 30 * across, 10 + 30 * down, 30, 30),
                "standing": "own copy",
            }
            for across, letter in enumerate(line)
            if letter != "."
        ]
    return {
        "game": "siege", "name": "ours", "title": "Our own copy", "standing": "own copy",
        "size_mm": [20 + 30 * max(map(len, rows)), 20 + 30 * len(rows)], "art": {}, "notes": [], "spaces": spaces,
    }  # fmt: skip


# Ten columns and eight rows, eighty-four squares: blue at the rear, a Castle five deep, the Crowns in its middle.
LARGE = [
    "bbbbbbbbbb",
    "bggccccggb",
    "bggcKKcggb",
    "bggcDDcggb",
    "bggcDDcggb",
    "bggccccggb",
    "gggggggggg",
    "gggggggggg",
    ".s.s..s.s.",
]

# A Castle round a green court, with a corner missing from the board: a diagonal may lead out of it and back.
COURT = [
    "ggcKKcgg",
    "ggcgDcgg",
    "bgDggDgb",
    "bgccDcgb",
    "gggggggg",
    "gg.gg.gg",
    "..ssss..",
]

# The dotted squares lie in a corner of the Castle, one of them shut in.
CORNER = [
    "DDKKcc",
    "DDcccc",
    "gggggg",
    "gggggg",
    ".ssss.",
]
