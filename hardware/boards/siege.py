"""Writes our reconstruction of the Siege board. Run: python hardware/boards/siege.py"""

from pathlib import Path

from companion.shapes import rectangle, write_board

SIDE = 45  # millimetres a square
COLUMNS = "abcdefgh"
CASTLE = {c + str(r) for c in "cdef" for r in (3, 4, 5, 6)}
BLUE = {c + str(r) for c in "ah" for r in (2, 3, 4, 5, 6)}
DOTS = {"d4", "e4", "d5", "e5"}
CROWNS = {"d6", "e6"}
STARTS = {"c0", "d0", "e0", "f0"}


def space(id: str) -> dict[str, object]:
    column, row = COLUMNS.index(id[0]), int(id[1:])
    kinds = ["castle"] if id in CASTLE else ["blue"] if id in BLUE else ["green"]
    kinds += ["dot"] * (id in DOTS) + ["crown"] * (id in CROWNS) + ["start"] * (id in STARTS)
    known = "published" if id in CASTLE | BLUE else "reconstruction"
    return {
        "id": id,
        "kinds": kinds,
        "facts": {"column": column + 1, "row": row},
        "outline": rectangle(20 + SIDE * column, 20 + SIDE * (6 - row), SIDE, SIDE),
        "standing": known,
    }


if __name__ == "__main__":
    ids = sorted(STARTS) + [c + str(r) for r in range(1, 7) for c in COLUMNS]
    write_board(
        Path(__file__).parents[2] / "companion/games/siege/board-reconstruction.json",
        {
            "game": "siege",
            "name": "reconstruction",
            "title": "Siege, reconstructed board",
            "standing": "reconstruction",
            "size_mm": [8 * SIDE + 40, 7 * SIDE + 40],
            "art": {"green": "#7fae68", "blue": "#5b8fc7", "castle": "#cbb994", "crown": "#e3c766", "dot": "#cbb994"},
            "notes": [
                "The grid of 8 by 6, the raised 4 by 4 Castle and five blue squares on each side are published; the "
                "columns of the Knights' squares, the dots and the Crowns are our reconstruction.",
                "Row 1 is nearest the Attacker, row 6 is the rear of the Castle.",
            ],
            "spaces": [space(id) for id in ids],
        },
    )
