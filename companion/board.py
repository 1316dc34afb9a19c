"""A board as data: its spaces, where they lie in millimetres, what they are, and how sure we are of each fact.

The same file draws the phone's picture and the printed sheet, tells the camera where to look, and tells the rules what each
space is. A family that owns another copy of a game writes another file; no code changes.

The file is JSON: `game`, `name`, `title`, `standing`, `size_mm` [width, height], `art` (kind of space -> fill colour),
`notes`, and `spaces`, each with
  id        what it is called in positions and moves ("e4", "B17")
  name      how it is spoken, where that differs from the id
  kinds     what it is ("castle", "noble"): the game's own words, see `companion board show`
  facts     numbers and words that belong to it: column, row, number, colour, owner
  links     named neighbours: "next", "go" (where a Go square sends)
  outline   its corners in millimetres from the board's top left corner, x to the right, y down
  standing  leaflet, published, deduced or reconstruction: where we know it from
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.events import BadInput, brief

STANDINGS = ("leaflet", "published", "deduced", "reconstruction", "own copy")
MOST_SPACES = 2000
MOST_CORNERS = 200
MOST_BYTES = 4_000_000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_WORD = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")

Point = tuple[float, float]


class BadBoard(BadInput):
    """A board file that cannot be played on; `problems` says everything that is missing."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("board: " + "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else ""))
        self.problems = problems


@dataclass(frozen=True)
class Space:
    id: str
    name: str
    kinds: frozenset[str]
    facts: Mapping[str, str | int] = field(hash=False)
    links: Mapping[str, str] = field(hash=False)
    outline: tuple[Point, ...]
    standing: str

    def number(self, fact: str) -> int:
        return int(self.facts[fact])

    @cached_property
    def centre(self) -> Point:
        """The middle of its area."""
        area = x = y = 0.0
        for (x0, y0), (x1, y1) in zip(self.outline, (*self.outline[1:], self.outline[0]), strict=True):
            cross = x0 * y1 - x1 * y0
            area, x, y = area + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
        return x / (3 * area), y / (3 * area)

    @cached_property
    def area(self) -> float:
        corners = zip(self.outline, (*self.outline[1:], self.outline[0]), strict=True)
        return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in corners)) / 2


@dataclass(frozen=True, eq=False)
class Board:
    game: str
    name: str
    title: str
    standing: str
    size_mm: tuple[float, float]
    art: Mapping[str, str]
    notes: tuple[str, ...]
    spaces: Mapping[str, Space]
    digest: str  # two boards are the same when their digests are

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def of_kind(self, kind: str) -> tuple[Space, ...]:
        return tuple(s for s in self.spaces.values() if kind in s.kinds)

    def at(self, column: int, row: int) -> Space | None:
        """The space of a grid board at that column and row."""
        return self._grid.get((column, row))

    @cached_property
    def _grid(self) -> dict[tuple[int, int], Space]:
        on_grid = (s for s in self.spaces.values() if "column" in s.facts and "row" in s.facts)
        return {(s.number("column"), s.number("row")): s for s in on_grid}


def load_board(path: Path) -> Board:
    """Read a board file; everything that is wrong with it is in the error."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadBoard([f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB"])
        data = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadBoard([f"{path.name} cannot be read ({error.__class__.__name__})"]) from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadBoard([f"{path.name} is not JSON ({error})"]) from error
    return board_from_json(data)


def board_from_json(data: object) -> Board:
    """A board from its JSON form, checked as far as every game needs it."""
    problems: list[str] = []
    if not isinstance(data, dict):
        raise BadBoard(["a board file holds one object with game, name, size_mm and spaces"])
    width, height = _size(data.get("size_mm"), problems)
    spaces: dict[str, Space] = {}
    listed = data.get("spaces")
    if not isinstance(listed, list) or not listed:
        problems.append("spaces: must be a list of at least one space")
        listed = []
    if len(listed) > MOST_SPACES:
        problems.append(f"spaces: {len(listed)} are too many; at most {MOST_SPACES}")
        listed = []
    for number, item in enumerate(listed, 1):
        space = _space(number, item, problems)
        if space and space.id in spaces:
            problems.append(f"spaces: {space.id} stands there twice")
        elif space:
            spaces[space.id] = space
    for space in spaces.values():
        problems += [
            f"{space.id}: its link '{name}' leads to {brief(to)}, which is no space of this board"
            for name, to in space.links.items()
            if to not in spaces
        ]
        if any(not (-1 <= x <= width + 1 and -1 <= y <= height + 1) for x, y in space.outline):
            problems.append(f"{space.id}: its outline leaves the board of {width:g} × {height:g} mm")
    art = data.get("art", {})
    if not isinstance(art, dict) or not all(
        isinstance(k, str) and isinstance(v, str) and _COLOUR.fullmatch(v) for k, v in art.items()
    ):
        problems.append("art: must map kinds of spaces to colours such as #3366cc")
        art = {}
    texts = {key: data.get(key) for key in ("game", "name", "title")}
    for key, text in texts.items():
        if not isinstance(text, str) or not 1 <= len(text) <= 120 or not text.isprintable():
            problems.append(f"{key}: must be a text of 1 to 120 characters")
    if data.get("standing") not in STANDINGS:
        problems.append(f"standing: must be one of {', '.join(STANDINGS)}")
    notes = data.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(n, str) and len(n) <= 1000 for n in notes):
        problems.append("notes: must be a list of short texts")
        notes = []
    if problems:
        raise BadBoard(problems)
    board = Board(
        str(texts["game"]), str(texts["name"]), str(texts["title"]), str(data["standing"]),
        (width, height), art, tuple(notes), spaces, "",
    )  # fmt: skip
    # Of what the board is, not of how its file was written: a board that was kept and read again is the same board.
    meant = json.dumps(board_to_json(board), sort_keys=True)
    return replace(board, digest=hashlib.sha256(meant.encode()).hexdigest()[:16])


def board_to_json(board: Board) -> dict[str, Any]:
    """The file's form again, for a game that keeps the board it was played on."""
    return {
        "game": board.game,
        "name": board.name,
        "title": board.title,
        "standing": board.standing,
        "size_mm": list(board.size_mm),
        "art": dict(board.art),
        "notes": list(board.notes),
        "spaces": [_space_to_json(s) for s in board.spaces.values()],
    }


def _space_to_json(space: Space) -> dict[str, Any]:
    out: dict[str, Any] = {"id": space.id}
    if space.name != space.id:
        out["name"] = space.name
    out |= {"kinds": sorted(space.kinds)}
    if space.facts:
        out["facts"] = dict(space.facts)
    if space.links:
        out["links"] = dict(space.links)
    return out | {"outline": [list(p) for p in space.outline], "standing": space.standing}


def _size(value: object, problems: list[str]) -> Point:
    if isinstance(value, list) and len(value) == 2 and all(_is_number(v) and 20 <= v <= 3000 for v in value):
        return float(value[0]), float(value[1])
    problems.append("size_mm: must be [width, height] in millimetres, each from 20 to 3000")
    return 3000.0, 3000.0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6


def _space(number: int, item: object, problems: list[str]) -> Space | None:
    if not isinstance(item, dict) or not isinstance(item.get("id"), str) or not _ID.fullmatch(item["id"]):
        problems.append(f"space number {number}: needs an id of letters, digits, '-', '_' or '.'")
        return None
    id, before = item["id"], len(problems)
    kinds = item.get("kinds", [])
    if not isinstance(kinds, list) or not all(isinstance(k, str) and _WORD.fullmatch(k) for k in kinds):
        problems.append(f"{id}: kinds must be a list of short lower-case words")
    facts = item.get("facts", {})
    if not isinstance(facts, dict) or not all(
        isinstance(k, str) and _WORD.fullmatch(k) and (_is_whole(v) or (isinstance(v, str) and len(v) <= 60))
        for k, v in facts.items()
    ):
        problems.append(f"{id}: facts must be whole numbers or short texts under short lower-case names")
    links = item.get("links", {})
    if not isinstance(links, dict) or not all(
        isinstance(k, str) and _WORD.fullmatch(k) and isinstance(v, str) for k, v in links.items()
    ):
        problems.append(f"{id}: links must name a space each")
    name = item.get("name", id)
    if not isinstance(name, str) or not 1 <= len(name) <= 60 or not name.isprintable():
        problems.append(f"{id}: name must be a text of 1 to 60 characters")
    if item.get("standing") not in STANDINGS:
        problems.append(f"{id}: standing must be one of {', '.join(STANDINGS)}")
    outline = item.get("outline")
    if (
        not isinstance(outline, list)
        or not 3 <= len(outline) <= MOST_CORNERS
        or not all(isinstance(p, list) and len(p) == 2 and all(_is_number(v) for v in p) for p in outline)
    ):
        problems.append(f"{id}: outline must be a list of 3 to {MOST_CORNERS} points [x, y] in millimetres")
    if len(problems) > before:
        return None
    assert isinstance(outline, list)
    assert isinstance(name, str)
    space = Space(id, name, frozenset(kinds), facts, links, tuple((float(x), float(y)) for x, y in outline), item["standing"])
    if space.area < 1:
        problems.append(f"{id}: its outline encloses no area")
        return None
    return space


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6
