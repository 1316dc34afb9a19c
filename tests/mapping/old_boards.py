"""Boards that somebody may own: three of each game, unlike our reconstructions in size, counts and places, and printed in other styles.

    python -m tests.mapping.old_boards FOLDER      # writes a photo of each, as the rendered table's lamp and a tilted camera show it

They are made without `companion.mapping`, so that what is mapped can be compared with what was drawn. The pictures are synthetic.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from companion.board import Board, board_from_json
from companion.layout import Layout
from companion.shapes import disc, on_circle, rectangle, sector
from vision.rendered import Conditions, Picture, Scene
from vision.rendered.conditions import Lamp

Space = dict[str, Any]


class Old(NamedTuple):
    game: str
    number: int
    board: Board
    era: str
    cloth: str
    seed: int
    arrow: int | None = None

    @property
    def name(self) -> str:
        return f"{self.game}-{self.number}"


def _board(game: str, number: int, size: tuple[float, float], art: dict[str, str], spaces: list[Space]) -> Board:
    for space in spaces:
        space.setdefault("standing", "own copy")
    head = {"game": game, "name": f"old-{number}", "title": f"{game.replace('_', ' ').title()} of another house", "standing": "own copy"}
    return board_from_json({**head, "size_mm": list(size), "art": art, "notes": [], "spaces": spaces})


def siege(number: int) -> Board:
    columns, rows, side, left, top = ((10, 7, 38.0, 22.0, 16.0), (8, 6, 50.0, 30.0, 25.0), (9, 8, 36.0, 18.0, 30.0))[number]
    first = (columns - 4) // 2 + 1
    castle = {(c, r) for c in range(first, first + 4) for r in range(rows - 3, rows + 1)}
    blue = {(c, r) for c in (1, columns) for r in range(2 + number % 2, rows + 1)}
    dots = {(first + c, rows - 1 - r) for c in (1, 2) for r in (0, 1)}
    crowns = {(first + 1, rows), (first + 2, rows)}
    starts = {(first + c, 0) for c in range(4)}
    spaces = []
    for column, row in sorted({(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1)} | starts):
        at = (column, row)
        kinds = ["castle"] if at in castle else ["blue"] if at in blue else ["green"]
        kinds += ["dot"] * (at in dots) + ["crown"] * (at in crowns) + ["start"] * (at in starts)
        outline = rectangle(left + side * (column - 1), top + side * (rows - row), side, side)
        spaces.append({"id": f"{chr(96 + column)}{row}", "kinds": kinds, "facts": {"column": column, "row": row}, "outline": outline})
    art = ({"green": "#7aa45a", "blue": "#4f86bd", "castle": "#c7ae80"}, {"green": "#8fb07a", "blue": "#6f9fd0", "castle": "#d8c39a"},
           {"green": "#5f9a5a", "blue": "#3f73a8", "castle": "#b99c6b"})[number]  # fmt: skip
    return _board("siege", number, (side * columns + 2 * left, side * (rows + 1) + 2 * top), art, spaces)


def royal_purple(number: int) -> Board:
    columns, rows, side, rim = ((9, 9, 44.0, 20.0), (13, 11, 32.0, 14.0), (10, 12, 35.0, 24.0))[number]
    middle = (columns + 1) // 2
    special: dict[tuple[int, int], Space] = {}
    for colour, at in (("red", (1, 1)), ("blue", (1, rows)), ("yellow", (columns, rows)), ("green", (columns, 1))):
        special[at] = {"kinds": ["castle", colour], "facts": {"owner": colour}}
    special[middle, rows] = {"kinds": ["throne"], "facts": {"side": "south"}}
    special[middle, 1] = {"kinds": ["throne"], "facts": {"side": "north"}}
    for column in range(2, columns, 2):
        for row in (3, rows - 2):
            special.setdefault((column, row), {"kinds": ["noble"]})
    for column in (3, columns - 2):
        for row in (2, rows - 1):
            special.setdefault((column, row), {"kinds": ["noble"]})
    for (column, row), to in (((2, 5), (middle, 6)), ((columns - 1, 5), (middle, 6)), ((middle, 4), (1, 6))):
        special[column, row] = {"kinds": ["go"], "links": {"go": f"{chr(96 + to[0])}{to[1]}"}}
    spaces = []
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            own = special.get((column, row), {"kinds": ["plain"]})
            outline = rectangle(rim + side * (column - 1), rim + side * (rows - row), side, side)
            facts = {"column": column, "row": row} | own.get("facts", {})
            spaces.append({"id": f"{chr(96 + column)}{row}", **own, "facts": facts, "outline": outline})
    art = {"plain": "#efe6d0", "go": "#e8b56a", "noble": "#9a72bd", "throne": "#6b3fa0", "red": "#d27a72", "blue": "#7d9fce", "yellow": "#e6cf6c",
           "green": "#7fb48e", "castle": "#c9c2b2"}  # fmt: skip
    return _board("royal_purple", number, (side * columns + 2 * rim, side * rows + 2 * rim), art, spaces)


PORTS = ("new-york", "boston", "philadelphia", "baltimore", "norfolk", "charleston")  # counter-clockwise


def kop_the_kaiser(number: int) -> Board:
    between, divisions, side, space, depth = ((6, 4, 190.0, 25.0, 36.0), (10, 6, 240.0, 19.5, 30.0), (7, 5, 210.0, 24.0, 40.0))[number]
    port, berlin = 17.0, 38.0
    width, height = 2 * side + 60.0, round(side * sqrt(3)) + 60.0

    def at(right: float, up: float, turned: float) -> list[float]:
        a = radians(turned)
        return [width / 2 + right * cos(a) - up * sin(a), height / 2 - right * sin(a) - up * cos(a)]

    def block(right: float, up: float, wide: float, high: float, turned: float) -> list[list[float]]:
        return [at(right + a * wide / 2, up + b * high / 2, turned) for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1))]

    spaces: list[Space] = []
    length = between * 6
    for n in range(length):
        edge, along = divmod(n, between)
        outline = block(side * sqrt(3) / 2, (along - (between - 1) / 2) * space, depth, space, 60 * edge + 30)
        links = {"next": f"S{(n + 1) % length + 1:02}"}
        spaces.append({"id": f"S{n + 1:02}", "kinds": ["blue"], "facts": {"number": n + 1}, "links": links, "outline": outline})
    far, near = side * 0.87, berlin + 1.0
    for i, name in enumerate(PORTS):
        links = {"right": f"S{i * between + 1:02}", "left": f"S{(i * between - 1) % length + 1:02}", "up": f"W{i + 1}-1"}
        spaces.append({"id": f"G{i + 1}", "kinds": ["port"], "facts": {"port": name}, "links": links, "outline": disc(*at(side, 0, 60 * i), port)})
        deep = (far - near) / divisions
        for d in range(1, divisions + 1):
            up = f"W{i + 1}-{d + 1}" if d < divisions else "BERLIN"
            outline = block(far - (d - 0.5) * deep, 0, deep, depth * 0.9, 60 * i)
            spaces.append({"id": f"W{i + 1}-{d}", "kinds": ["pink"], "facts": {"division": d}, "links": {"up": up}, "outline": outline})
    spaces.append({"id": "BERLIN", "kinds": ["berlin"], "outline": disc(width / 2, height / 2, berlin)})
    art = {"blue": "#6f9bc4", "port": "#d8c48a", "pink": "#e09aa8", "berlin": "#c9483f"}
    return _board("kop_the_kaiser", number, (width, height), art, spaces)


SECTIONS = ("red", "black", "yellow", "green")


def fighting_marines(number: int) -> Board:
    size, outer, inner, rim, hub, turned = (
        (420.0, 178.0, 140.0, 138.0, 96.0, 0),
        (500.0, 200.0, 150.0, 147.0, 105.0, 11),
        (360.0, 150.0, 120.0, 117.0, 78.0, 22),
    )[number]
    middle, step = size / 2, 360 / 44
    spaces: list[Space] = []
    for n in range(1, 45):
        colour = SECTIONS[((n - 1 + turned) // 11) % 4]
        kinds = ["base"] + ["circle"] * (((n - 1 + turned) % 11) % 2 == 1)
        outline = sector(middle, middle, inner, outer, 180 + (n - 1) * step, 180 + n * step)
        spaces.append({"id": f"B{n:02}", "name": str(n), "kinds": kinds, "facts": {"number": n, "colour": colour}, "outline": outline})
    for place in range(44):
        kind = "arrow" if place == 0 else "neutral" if place in (9 + number, 31 + number) else ""
        facts: dict[str, Any] = {"place": place} | ({} if kind else {"colour": SECTIONS[(place * 3 + place // 4 + number) % 4]})
        outline = sector(middle, middle, hub, rim, 180 + (place - 1) * step, 180 + place * step)
        spaces.append({"id": f"P{place:02}", "kinds": ["platform"] + [kind] * bool(kind), "facts": facts, "outline": outline})
    for q, colour in enumerate(SECTIONS):
        for i, rank in enumerate(("colonel", "captain", "captain")):
            x, y = ((0.09, 0.91), (0.09, 0.09), (0.91, 0.09), (0.91, 0.91))[(q - turned // 11) % 4]
            dx, dy = ((0, 0), (0.07 if x < 0.5 else -0.07, 0), (0, 0.07 if y < 0.5 else -0.07))[i]
            outline = disc((x + dx) * size, (y + dy) * size, 0.026 * size)
            spaces.append({"id": f"C{q * 3 + i + 1:02}", "kinds": ["insignia"], "facts": {"colour": colour, "rank": rank}, "outline": outline})
    art = {"red": "#cc6a5c", "black": "#6a6662", "yellow": "#e6cb62", "green": "#6fae6b", "neutral": "#d8c8e8", "arrow": "#faf6ec"}
    return _board("fighting_marines", number, (size, size), art, spaces)


OWNERS = ("red", "green", "yellow", "blue")  # from the lower arm counter-clockwise


def royal_game(number: int) -> Board:
    arm, side, edge = ((6, 27.0, 8.0), (7, 26.0, 5.0), (9, 20.0, 12.0))[number]
    across = 2 * arm + 3
    entering = (3, 4, 5)[number]  # spaces in from the end of the arm

    def square(column: int, row: int, quarters: int) -> list[list[float]]:
        for _ in range(quarters):
            column, row = row, across - 1 - column
        return rectangle(edge + side * column, edge + side * row, side, side)

    quarter = [(arm + 2, row) for row in range(across - 1, arm + 2, -1)] + [(c, arm + 2) for c in range(arm + 3, across)] + [(across - 1, arm + 1)]
    length, spaces = len(quarter) * 4, list[Space]()
    for turn, owner in enumerate(OWNERS):
        for i, place in enumerate(quarter):
            n = turn * len(quarter) + i
            space: Space = {"id": f"T{n:02}", "kinds": ["road"], "links": {"next": f"T{(n + 1) % length:02}"}, "outline": square(*place, turn)}
            if i == entering:
                space |= {"kinds": ["road", "safe", "entering"], "facts": {"owner": owner, "colour": owner}}
            elif i in (arm + 2, len(quarter) - 1):
                space["kinds"] = ["road", "safe"]
            if i == len(quarter) - 1:
                after = OWNERS[(turn + 1) % 4]
                space["links"][f"lane-{after}"] = f"{after}-1"
            spaces.append(space)
        for s in range(1, arm):
            then = f"{owner}-{s + 1}" if s < arm - 1 else "home"
            facts = {"owner": owner, "colour": owner}
            outline = square(arm + 1, across - 1 - s, turn)
            spaces.append({"id": f"{owner}-{s}", "kinds": ["lane"], "facts": facts, "links": {"next": then}, "outline": outline})
    corner = edge + side * arm
    spaces.append({"id": "home", "kinds": ["home"], "outline": rectangle(corner, corner, 3 * side, 3 * side)})
    size = across * side + 2 * edge
    for turn, owner in enumerate(OWNERS):
        x, y = on_circle(size / 2, size / 2, (arm + 3) * side / sqrt(2) * 1.02, 135 - 90 * turn)
        facts = {"owner": owner, "colour": owner}
        spaces.append({"id": f"{owner}-start", "kinds": ["start"], "facts": facts, "outline": disc(x, y, arm * side * 0.36)})
    art = {"road": "#f0e2c0", "safe": "#d9b36a", "home": "#b9c98f", "red": "#dc8f86", "blue": "#8fadd8", "yellow": "#e8d47c", "green": "#8fc09c"}
    return _board("royal_game", number, (size, size), art, spaces)


MAKERS: dict[str, Callable[[int], Board]] = {
    "siege": siege, "royal_purple": royal_purple, "kop_the_kaiser": kop_the_kaiser, "fighting_marines": fighting_marines, "royal_game": royal_game,
}  # fmt: skip
ERAS, TABLES = ("linen", "lithograph", "parlour"), ("dark wood", "planks", "plain")


def old(game: str, number: int) -> Old:
    return Old(game, number, MAKERS[game](number), ERAS[number], TABLES[number], 31 + number, 44 if game == "fighting_marines" else None)


def all_old() -> list[Old]:
    return [old(game, number) for game in MAKERS for number in range(3)]


def photograph(one: Old) -> Picture:
    """From a hand: tilted, under one lamp, no tags."""
    lamp = Lamp(at=(-300.0 + 200 * one.number, -320.0), kelvin=3600.0 + 600 * one.number, strength=0.85)
    conditions = Conditions(
        size=(2000, 1500), tilt=7.0 + 4 * one.number, towards=170.0 + 15 * one.number, turn=1.5 * one.number, fill=0.86, lens=(-0.002, 0.0),
        lamps=(lamp,), tags=(), cloth=one.cloth, art=one.era, noise=1.8, jpeg=0,
    )  # fmt: skip
    return Scene(one.board, conditions, one.seed).draw(Layout((), one.arrow))


def jpeg(one: Old) -> bytes:
    return bytes(cv2.imencode(".jpg", photograph(one).frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for one in all_old():
        (folder / f"{one.name}.jpg").write_bytes(jpeg(one))
