"""Writes our reconstruction of the Kop the Kaiser board. Run: python hardware/boards/kop_the_kaiser.py"""

from __future__ import annotations

from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any

from companion.shapes import Outline, disc, write_board

PORTS = ("New York", "Boston", "Philadelphia", "Baltimore", "Norfolk", "Charleston")  # the way an army advances
NAMED_PORTS = PORTS[:2] + PORTS[4:5]  # by the leaflet; the others are ours
DIVISIONS = ("In France", "In the Trenches", "Over the Top", "Across the Rhine", "In Germany")
BETWEEN = 8  # blue spaces between two ports
SIDE = 232.0  # millimetres between neighbouring ports, and from each to the centre of the hexagon
SPACE, DEPTH = 24.0, 34.0  # of a blue space, along and across the path
PORT_RADIUS, BERLIN_RADIUS = 18.5, 47.0
PINK_OUTER = 202.0  # where In France ends
WIDTH, HEIGHT = 2 * SIDE + 52.0, round(SIDE * sqrt(3)) + 44.0
X, Y = WIDTH / 2, HEIGHT / 2


def on_board(right: float, up: float, turned: float) -> list[float]:
    """A point given from the centre of the board, turned counter-clockwise by so many degrees."""
    angle = radians(turned)
    x, y = right * cos(angle) - up * sin(angle), right * sin(angle) + up * cos(angle)
    return [round(X + x, 2), round(Y - y, 2)]


def block(right: float, up: float, width: float, height: float, turned: float) -> Outline:
    """A rectangle about a point, turned with it."""
    halves = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    return [on_board(right + a * width / 2, up + b * height / 2, turned) for a, b in halves]


def short(port: str) -> str:
    return port.replace(" ", "")


def blue_id(number: int) -> str:
    return f"S{(number - 1) % (BETWEEN * len(PORTS)) + 1:02}"


def blue_space(number: int) -> dict[str, Any]:
    side, along = divmod(number - 1, BETWEEN)
    outline = block(SIDE * sqrt(3) / 2, (along - (BETWEEN - 1) / 2) * SPACE, DEPTH, SPACE, 60 * side + 30)
    return {
        "id": blue_id(number),
        "kinds": ["blue"],
        "facts": {"number": number},
        "links": {"next": blue_id(number + 1)},
        "outline": outline,
        "standing": "reconstruction",
    }


def port_space(index: int, port: str) -> dict[str, Any]:
    right, left = blue_id(index * BETWEEN + 1), blue_id(index * BETWEEN or BETWEEN * len(PORTS))
    return {
        "id": f"PORT-{short(port)}",
        "name": port,
        "kinds": ["port"],
        "facts": {"port": port.lower().replace(" ", "-")},
        "links": {"right": right, "left": left, "up": f"{short(port)}-1"},
        "outline": disc(*on_board(SIDE, 0, 60 * index), PORT_RADIUS),
        "standing": "leaflet" if port in NAMED_PORTS else "reconstruction",
    }


def division(index: int, port: str, number: int) -> dict[str, Any]:
    depth = (PINK_OUTER - BERLIN_RADIUS - 1) / len(DIVISIONS)
    above = f"{short(port)}-{number + 1}" if number < len(DIVISIONS) else "BERLIN"
    return {
        "id": f"{short(port)}-{number}",
        "name": DIVISIONS[number - 1],
        "kinds": ["pink"],
        "facts": {"port": port.lower().replace(" ", "-"), "division": number},
        "links": {"up": above},
        "outline": block(PINK_OUTER - (number - 0.5) * depth, 0, depth, DEPTH, 60 * index),
        "standing": "leaflet" if number == 1 else "reconstruction",
    }


def berlin() -> dict[str, Any]:
    return {"id": "BERLIN", "name": "Berlin", "kinds": ["berlin"], "outline": disc(X, Y, BERLIN_RADIUS), "standing": "leaflet"}


def board() -> dict[str, Any]:
    spaces = [blue_space(n) for n in range(1, BETWEEN * len(PORTS) + 1)]
    spaces += [port_space(i, port) for i, port in enumerate(PORTS)]
    spaces += [division(i, port, n) for i, port in enumerate(PORTS) for n in range(1, len(DIVISIONS) + 1)]
    spaces.append(berlin())
    return {
        "game": "kop_the_kaiser",
        "name": "reconstruction",
        "title": "Kop the Kaiser, reconstructed board",
        "standing": "reconstruction",
        "size_mm": [WIDTH, HEIGHT],
        "art": {"blue": "#7aa6cf", "port": "#d8c48a", "pink": "#e7a9b4", "berlin": "#c9483f"},
        "notes": [
            "Six ports, a blue path (Dodging the Submarines), pink divisions that begin with In France, and Berlin in the centre "
            "are in the leaflet, which names New York, Boston and Norfolk. The order of the ports, the other three, eight blue "
            "spaces between ports, and the number and names of the divisions after In France are our reconstruction.",
            "S01 is the first blue space to the right of New York; the numbers run counter-clockwise, the way an army advances.",
        ],
        "spaces": spaces,
    }


if __name__ == "__main__":
    write_board(Path(__file__).parents[2] / "companion/games/kop_the_kaiser/board-reconstruction.json", board())
