"""Writes our reconstruction of the Royal Purple board. Run: python hardware/boards/royal_purple.py"""

from pathlib import Path

from companion.shapes import rectangle, write_board

SIDE, RIM = 40, 15  # millimetres: a square, and the rim round the grid
COLUMNS, ROWS = "abcdefghijk", 11
CASTLES = {"a1": "red", "a11": "blue", "k11": "yellow", "k1": "green"}
THRONES = {"f11": "south", "f1": "north"}  # the pair that each serves sits on the other side
NOBLES = (
    {"c3", "i3", "c9", "i9", "e5", "g5", "e7", "g7", "d2", "h2", "d10", "h10"}
    | {"b4", "j4", "b8", "j8", "e3", "g3", "e9", "g9", "c5", "i5", "c7", "i7"}
)
GO = {"b2": "e4", "j2": "g4", "b10": "e8", "j10": "g8", "d5": "a6", "h5": "k6", "d7": "a6", "h7": "k6"}


def space(id: str) -> dict[str, object]:
    column, row = COLUMNS.index(id[0]), int(id[1:])
    facts: dict[str, object] = {"column": column + 1, "row": row}
    kinds, known = ["plain"], "reconstruction"
    if id in CASTLES:
        kinds, known = ["castle", CASTLES[id]], "leaflet"
        facts["owner"] = CASTLES[id]
    elif id in THRONES:
        kinds, known = ["throne"], "deduced"
        facts["side"] = THRONES[id]
    elif id in NOBLES:
        kinds = ["noble"]
    elif id in GO:
        kinds = ["go"]
    links = {"links": {"go": GO[id]}} if id in GO else {}
    outline = rectangle(RIM + SIDE * column, RIM + SIDE * (ROWS - row), SIDE, SIDE)
    return {"id": id, "kinds": kinds, "facts": facts, **links, "outline": outline, "standing": known}


if __name__ == "__main__":
    write_board(
        Path(__file__).parents[2] / "companion/games/royal_purple/board-reconstruction.json",
        {
            "game": "royal_purple",
            "name": "reconstruction",
            "title": "Royal Purple, reconstructed board",
            "standing": "reconstruction",
            "size_mm": [SIDE * len(COLUMNS) + 2 * RIM, SIDE * ROWS + 2 * RIM],
            "art": {
                "plain": "#efe6d0", "go": "#f0c98a", "noble": "#b593cf", "castle": "#c9c2b2", "throne": "#6b3fa0",
                "red": "#dd8b84", "blue": "#8fadd8", "yellow": "#ecd77c", "green": "#8fc09c",
            },
            "notes": [
                "Four corner Castles, a Throne on the edge opposite each pair of players, purple Noble squares and Go squares "
                "that name where they send are the leaflet's; the size of the grid and the places of Nobles and Go squares are "
                "our reconstruction.",
                "Row 1 is nearest the south pair (red and green). A Throne's side names the pair that it serves.",
            ],
            "spaces": [space(c + str(r)) for r in range(1, ROWS + 1) for c in COLUMNS],
        },
    )
