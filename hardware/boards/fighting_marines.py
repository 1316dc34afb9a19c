"""Writes our reconstruction of the Fighting Marines board. Run: python hardware/boards/fighting_marines.py"""

from pathlib import Path

from companion.shapes import disc, sector, write_board

SIZE = 480  # millimetres, both ways
MIDDLE = SIZE / 2
RING = 44
STEP = 360 / RING
BOTTOM = 180  # degrees clockwise from the top: space 1 begins there
BASE_RADII, PLATFORM_RADII = (158, 202), (118, 154)

COLOURS = ("red", "black", "yellow", "green")  # in order of the numbers, clockwise from the bottom
SECTION = RING // len(COLOURS)
CIRCLES = (2, 4, 6, 8, 10)  # in each section
PLATFORM = "AYRBGYRBGYRBGYRBGYRBGNYRBGYRBGYRBGYRBGYRBGYN"  # clockwise from the arrow
LETTERS = {"R": "red", "B": "black", "Y": "yellow", "G": "green"}
CORNERS = {"red": (-1, 1), "black": (-1, -1), "yellow": (1, -1), "green": (1, 1)}
INSIGNIA = {"captain1": (158, 214), "captain2": (214, 158), "colonel": (186, 186)}  # millimetres off the middle
CHARTED = {2, 8, 10, 17, 26, 30, 32, 41}  # spaces that the leaflet's chart names


def base_space(number: int) -> dict[str, object]:
    section, offset = divmod(number - 1, SECTION)
    start = BOTTOM + (number - 1) * STEP
    return {
        "id": f"B{number:02}",
        "name": str(number),
        "kinds": ["base"] + ["circle"] * (offset + 1 in CIRCLES),
        "facts": {"number": number, "colour": COLOURS[section]},
        "outline": sector(MIDDLE, MIDDLE, *BASE_RADII, start, start + STEP),
        "standing": "leaflet" if number in CHARTED else "deduced",
    }


def platform_space(place: int, letter: str) -> dict[str, object]:
    """Outlines are those with the arrow at 44."""
    start = BOTTOM + (place - 1) * STEP
    return {
        "id": f"P{place:02}",
        "kinds": ["platform"] + {"A": ["arrow"], "N": ["neutral"]}.get(letter, []),
        "facts": {"place": place} | ({"colour": LETTERS[letter]} if letter in LETTERS else {}),
        "outline": sector(MIDDLE, MIDDLE, *PLATFORM_RADII, start, start + STEP),
        "standing": "reconstruction",
    }


def insignia(colour: str, name: str) -> dict[str, object]:
    across, down = CORNERS[colour]
    x, y = INSIGNIA[name]
    return {
        "id": f"{colour}-{name}",
        "name": f"{colour} {name.rstrip('12')} corner",
        "kinds": ["insignia"],
        "facts": {"colour": colour, "rank": name.rstrip("12")},
        "outline": disc(MIDDLE + across * x, MIDDLE + down * y, 15),
        "standing": "deduced",
    }


def board() -> dict[str, object]:
    spaces = [base_space(number) for number in range(1, RING + 1)]
    spaces += [platform_space(place, letter) for place, letter in enumerate(PLATFORM)]
    spaces += [insignia(colour, name) for colour in COLOURS for name in INSIGNIA]
    return {
        "game": "fighting_marines",
        "name": "reconstruction",
        "title": "Fighting Marines, reconstructed board",
        "standing": "reconstruction",
        "size_mm": [SIZE, SIZE],
        "art": {
            "red": "#dd9a90", "black": "#a3a3a3", "yellow": "#f0dc92", "green": "#a3c99b",
            "neutral": "#d8c8e8", "arrow": "#faf6ec",
        },
        "notes": [
            "The 44 numbered spaces, the four sections of eleven, the five circles and three insignia of each, and the platform "
            "of 41 coloured spaces, two Neutral ones and the arrow are the leaflet's.",
            "Which spaces have circles, and that the two Neutral spaces lie opposite each other, is deduced from the chart. The "
            "order of the platform's colours and the arrow's distance from the Neutral spaces are our reconstruction; with the "
            "arrow at 31 they agree with every statement of the chart.",
            "The platform turns about the middle of the board. Outlines of its spaces are given for the arrow at 44; with the "
            "arrow at n, turn them clockwise by n × 360/44 degrees.",
        ],
        "spaces": spaces,
    }  # fmt: skip


if __name__ == "__main__":
    write_board(Path(__file__).parents[2] / "companion/games/fighting_marines/board-reconstruction.json", board())
