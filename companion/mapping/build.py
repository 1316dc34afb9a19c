"""From what was said to a board file, and what is still missing, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.board import BadBoard, Board, board_from_json
from companion.game import Game
from companion.mapping.draft import Said
from companion.mapping.outlines import Drawn, drawn
from companion.mapping.palette import Mark, Palette, against_leaflet, palette_of

STANDING = "own copy"
_FOR_PROGRAMS = re.compile(r" \((?:kind|fact) [^)]*\)")  # "(kind 'noble')": for whoever writes the file by hand
DIFFERS = "Differs from the leaflet: "


def spaces_of(game: Game, so_far: Said) -> list[Drawn]:
    """Every space with what its place and the host's marks make of it."""
    palette = palette_of(game)
    facts = palette.shape_facts if so_far.shape.get("kind") == palette.shape else {}
    spaces = drawn(so_far.shape, so_far.size_mm, facts)
    here = {space.id for space in spaces}
    for space in spaces:
        for mark in marks_of(space, so_far, palette):
            space.kinds += [kind for kind in mark.adds if kind not in space.kinds]
            space.facts |= mark.sets
        space.links |= {link: to for link, to in so_far.links.get(space.id, {}).items() if to in here}
    return spaces


def marks_of(space: Drawn, so_far: Said, palette: Palette) -> list[Mark]:
    """What was said of a space, and what is usual where nothing was."""
    fitting = [palette.marks[name] for name in so_far.marks.get(space.id, ()) if name in palette.marks]
    fitting = [mark for mark in fitting if fits(mark, space)]
    groups = {mark.group for mark in fitting}
    return [*(m for m in palette.marks.values() if m.usual and m.group not in groups and fits(m, space)), *fitting]


def fits(mark: Mark, space: Drawn) -> bool:
    return not mark.on or bool(set(mark.on) & set(space.kinds))


def board_of(game: Game, so_far: Said, name: str, art: Mapping[str, str] | None = None) -> Board:
    """The board as far as it goes; `BadBoard` when not even that."""
    spaces = spaces_of(game, so_far)
    data: dict[str, Any] = {
        "game": game.name,
        "name": name,
        "title": so_far.title or f"{game.title}, a board of our own",
        "standing": STANDING,
        "size_mm": list(so_far.size_mm),
        "art": dict(art or usual_art(palette_of(game))),
        "notes": ["Mapped by its owner from a picture of it."],
        "spaces": [
            {
                "id": space.id, "name": space.name or space.id, "kinds": space.kinds, "facts": space.facts, "links": space.links,
                "outline": space.outline, "standing": STANDING,
            }
            for space in spaces
        ],
    }  # fmt: skip
    board = board_from_json(data)
    differs = [DIFFERS + text for text in against_leaflet(board, palette_of(game))]
    return board_from_json(data | {"notes": data["notes"] + differs}) if differs else board


def usual_art(palette: Palette) -> dict[str, str]:
    art: dict[str, str] = {}
    for mark in palette.marks.values():
        if mark.colour:
            art.setdefault(named_for_art(mark), mark.colour)
    return art


def named_for_art(mark: Mark) -> str:
    """By what a drawing finds the colour: the kind that the mark adds, or the colour that it sets."""
    return str(mark.sets.get("colour") or (mark.adds[0] if mark.adds else mark.name))


def still_missing(game: Game, so_far: Said) -> list[str]:
    """Everything that the game needs and the board has not yet, in words for whoever maps it."""
    if not so_far.corners:
        return ["Take a picture of the empty board and say where its four corners are."]
    if not so_far.measured:
        return ["Measure the board with a ruler: how wide and how high is it?"]
    if not so_far.shape:
        return ["Say what kind of board it is: a grid, a ring, a path or a cross."]
    try:
        problems = game.board_problems(board_of(game, so_far, "draft"))
    except BadBoard as error:
        problems = error.problems
    return [_FOR_PROGRAMS.sub("", text) for text in problems]


def differences(game: Game, so_far: Said) -> list[str]:
    """What contradicts the leaflet, though it can be played."""
    try:
        return [note.removeprefix(DIFFERS) for note in board_of(game, so_far, "draft").notes if note.startswith(DIFFERS)]
    except BadBoard:
        return []
