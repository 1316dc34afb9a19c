"""Writes our reconstruction of the board of The Royal Game. Run: python hardware/boards/royal_game.py"""

from pathlib import Path

from companion.shapes import disc, rectangle, write_board

SIDE, EDGE = 25, 2.5  # millimetres: a space, and the rim of the board
ARM, ACROSS = 8, 19  # an arm is 8 spaces long; 8 + 3 + 8 lie across the board
SECTION = 17  # spaces of the road from one entering space to the next
SAFE = (0, 7, 12)  # the small circles of each section
RIGHTWARDS = ("red", "green", "yellow", "blue")  # the players in the direction of the moves
LANE = 7


def turned(column: int, row: int, quarters: int) -> tuple[int, int]:
    """A place of the arm before Red, as the arm so many quarters further to the right has it."""
    for _ in range(quarters):
        column, row = row, ACROSS - 1 - column
    return column, row


def section() -> list[tuple[int, int]]:
    """The road from Red's entering space to the space before the next player's: in, out along the next arm, round its end."""
    in_to_the_middle = [(10, row) for row in (14, 13, 12, 11)]
    out_again = [(column, 10) for column in range(11, ACROSS)]
    round_the_end = [(18, 9), (18, 8), (17, 8), (16, 8), (15, 8)]
    return in_to_the_middle + out_again + round_the_end


def square(column: int, row: int) -> list[list[float]]:
    return rectangle(EDGE + SIDE * column, EDGE + SIDE * row, SIDE, SIDE)


def road() -> list[dict[str, object]]:
    spaces = []
    length = SECTION * len(RIGHTWARDS)
    for quarter, owner in enumerate(RIGHTWARDS):
        for offset, place in enumerate(section()):
            number = SECTION * quarter + offset
            space: dict[str, object] = {"id": f"T{number:02}", "kinds": ["road"] + ["safe"] * (offset in SAFE)}
            links = {"next": f"T{(number + 1) % length:02}"}
            if offset == 0:
                space |= {"kinds": ["road", "safe", "entering"], "facts": {"owner": owner, "colour": owner}}
            if offset == 12:  # the end of an arm, before the player who sits there
                neighbour = RIGHTWARDS[(quarter + 1) % len(RIGHTWARDS)]
                links[f"lane-{neighbour}"] = f"{neighbour}-1"
            standing = "reconstruction" if offset in SAFE else "published"
            spaces.append(space | {"links": links, "outline": square(*turned(*place, quarter)), "standing": standing})
    return spaces


def lane(quarter: int, owner: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{owner}-{step}",
            "kinds": ["lane"],
            "facts": {"owner": owner, "colour": owner},
            "links": {"next": f"{owner}-{step + 1}" if step < LANE else "home"},
            "outline": square(*turned(9, ACROSS - 1 - step, quarter)),
            "standing": "published",
        }
        for step in range(1, LANE + 1)
    ]


def start_circle(quarter: int, owner: str) -> dict[str, object]:
    """The large circle in the corner at the player's right."""
    column, row = turned(14, 14, quarter)
    x, y = (EDGE + SIDE * (4 if middle < 9 else 15) for middle in (column, row))
    return {
        "id": f"{owner}-start",
        "name": f"{owner}'s start circle",
        "kinds": ["start"],
        "facts": {"owner": owner, "colour": owner},
        "outline": disc(x, y, 70),
        "standing": "leaflet",
    }


if __name__ == "__main__":
    corner = EDGE + SIDE * ARM
    home = {"id": "home", "name": "Home", "kinds": ["home"], "outline": rectangle(corner, corner, 3 * SIDE, 3 * SIDE)}
    lanes = [space for quarter, owner in enumerate(RIGHTWARDS) for space in lane(quarter, owner)]
    write_board(
        Path(__file__).parents[2] / "companion/games/royal_game/board-reconstruction.json",
        {
            "game": "royal_game",
            "name": "reconstruction",
            "title": "The Royal Game, reconstructed board",
            "standing": "reconstruction",
            "size_mm": [480, 480],
            "art": {
                "road": "#f0e2c0", "safe": "#d9b36a", "home": "#b9c98f",
                "red": "#e3aba4", "blue": "#a9c0e0", "yellow": "#efe09a", "green": "#aed3b4",
            },
            "notes": [
                "The leaflet tells of a road round the board, a column of middle spaces before each player, Home in the centre, "
                "small circles that are safe, and an entering circle and a start circle at each player's right. Arms 3 wide and "
                "8 long are the usual board of this family of games; where the small circles lie is our reconstruction.",
                "Red sits at the lower edge; Blue, Yellow and Green follow clockwise. Discs go round to the right, which is "
                "counter-clockwise.",
            ],
            "spaces": [
                *road(),
                *lanes,
                home | {"standing": "leaflet"},
                *(start_circle(quarter, owner) for quarter, owner in enumerate(RIGHTWARDS)),
            ],
        },
    )  # fmt: skip
