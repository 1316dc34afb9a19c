"""What Royal Purple needs of a board, in words for whoever maps one."""

from __future__ import annotations

from companion.board import Board, Space
from companion.games.royal_purple.ground import COLOURS, NOBLES_NEEDED, SIDE, reach

CORNERS = "the Castles must be the corners of a rectangle: red and green in its first row, red and blue in its first column"


def board_problems(board: Board) -> list[str]:
    """Everything that is missing; an empty list when the game can be played."""
    grid = _grid_problems(board)
    if grid:  # nothing else can be told without the grid
        return grid
    problems = _castle_problems(board) + _throne_problems(board) + _noble_problems(board) + _go_problems(board)
    return problems or _way_problems(board)


def _grid_problems(board: Board) -> list[str]:
    problems, taken = [], dict[tuple[object, object], str]()
    for space in board.spaces.values():
        column, row = space.facts.get("column"), space.facts.get("row")
        if not isinstance(column, int) or not isinstance(row, int):
            problems.append(f"{space.id} needs a column and a row, as whole numbers")
        elif (column, row) in taken:
            problems.append(f"{space.id} and {taken[column, row]} have the same column and row")
        else:
            taken[column, row] = space.id
    return problems


def _castle_problems(board: Board) -> list[str]:  # RP-06, RP-28
    castles = board.of_kind("castle")
    problems = [
        f"{castle.id} is a Castle and needs an owner: {', '.join(COLOURS)}"
        for castle in castles
        if castle.facts.get("owner") not in COLOURS
    ]
    for colour in COLOURS:
        have = sum(castle.facts.get("owner") == colour for castle in castles)
        if have != 1:
            problems.append(f"Royal Purple needs one Castle (kind 'castle') with the owner {colour}, and this board has {have}")
    return problems or ([] if _are_corners(castles) else [CORNERS])


def _are_corners(castles: tuple[Space, ...]) -> bool:
    at = {castle.facts["owner"]: (castle.number("column"), castle.number("row")) for castle in castles}
    (left, bottom), (right, top) = at["red"], at["yellow"]
    return left < right and bottom < top and at["blue"] == (left, top) and at["green"] == (right, bottom)


def _throne_problems(board: Board) -> list[str]:  # RP-08
    thrones = board.of_kind("throne")
    problems = [
        f"{throne.id} is a Throne and needs a side: south or north, the pair it serves"
        for throne in thrones
        if throne.facts.get("side") not in SIDE.values()
    ]
    for side in ("south", "north"):
        own = [throne for throne in thrones if throne.facts.get("side") == side]
        if not own:
            problems.append(f"Royal Purple needs a Throne for the {side} pair (kind 'throne', side '{side}')")
        opposite = [castle for castle in board.of_kind("castle") if SIDE.get(str(castle.facts.get("owner"))) not in (side, None)]
        for throne in own:
            if any(_is_beyond(castle, throne, side) for castle in opposite):
                problems.append(f"{throne.id}: the Throne of the {side} pair must lie on the edge opposite them (RP-08)")
    return list(dict.fromkeys(problems))


def _is_beyond(castle: Space, throne: Space, side: str) -> bool:
    """Does the Throne lie short of the row of the Castles that face this pair?"""
    short = castle.number("row") - throne.number("row")
    return short > 0 if side == "south" else short < 0


def _noble_problems(board: Board) -> list[str]:  # RP-09, RP-42, RP-52
    nobles, needed = board.of_kind("noble"), 2 * NOBLES_NEEDED
    problems = [
        f"{noble.id} cannot be a Noble square as well as a Castle or Throne"
        for noble in nobles
        if noble.kinds & {"castle", "throne"}
    ]
    if len(nobles) < needed:
        why = f"five for a Prince and five for his Princess, and this board has {len(nobles)}"
        problems.append(f"Royal Purple needs {needed} or more Noble squares (kind 'noble'): {why}")
    return problems


def _go_problems(board: Board) -> list[str]:  # RP-10
    problems = []
    for space in board.spaces.values():
        if "castle" in space.kinds and "throne" in space.kinds:
            problems.append(f"{space.id} cannot be a Castle and a Throne")
        if ("go" in space.kinds) != ("go" in space.links):
            problems.append(f"{space.id}: a Go square has the kind 'go' and a link 'go' to the square it sends to")
        elif "go" in space.kinds and space.links["go"] == space.id:
            problems.append(f"{space.id}: a Go square cannot send to itself")
        elif "go" in space.kinds and space.kinds & {"castle", "throne"}:
            problems.append(f"{space.id} cannot be a Go square and a Castle or Throne")
    return problems


def _way_problems(board: Board) -> list[str]:
    """On an empty board each Prince must be able to walk from his Castle to his Throne."""
    single_steps = [reach(board, False)[number] for number in (1, 2, 3)]
    problems = []
    for castle in board.of_kind("castle"):
        colour = str(castle.facts["owner"])
        closed = {space.id for space in (*board.of_kind("castle"), *board.of_kind("throne")) if space.id != castle.id}
        own = {throne.id for throne in board.of_kind("throne") if throne.facts["side"] == SIDE[colour]}
        found, todo = {castle.id}, [castle.id]
        while todo:
            here = todo.pop()
            new = {end for ends in single_steps for end in ends[here]} - found - (closed - own)
            found |= new
            todo += new - own
        if not found & own:
            problems.append(f"no way leads from {castle.id}, the Castle of {colour}, to the Throne of his side")
    return problems
