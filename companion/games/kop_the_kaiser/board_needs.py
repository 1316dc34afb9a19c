"""What Kop the Kaiser needs of a board, in words for whoever maps one.

    kind     links                                                              facts
    blue     next: the blue space after it, the way an army advances
    port     right and left: the blue spaces beside it; up: In France            port: whose it is
    pink     up: the division above it, or Berlin
    berlin
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.board import Board, Space
from companion.games.kop_the_kaiser.ground import SEATS

NAMES = {seat: seat.replace("-", " ").title() for seat in SEATS}
KINDS = ("blue", "port", "pink", "berlin")
LINKS: dict[str, dict[str, tuple[str, ...]]] = {  # kind of space -> its links, and the kinds of spaces to which each leads
    "blue": {"next": ("blue",)},
    "port": {"right": ("blue",), "left": ("blue",), "up": ("pink",)},
    "pink": {"up": ("pink", "berlin")},
    "berlin": {},
}


def board_problems(board: Board) -> list[str]:
    """Everything that is missing; first what each space needs, then whether the paths are whole."""
    problems = [*_spaces(board), *_ports(board)]
    return problems or [*_blue_path(board), *_places_of_ports(board), *_ways_to_berlin(board)]


def _spaces(board: Board) -> Iterator[str]:
    if len(board.of_kind("berlin")) != 1:
        yield f"one space must be Berlin (kind 'berlin'), and this board has {len(board.of_kind('berlin'))}"
    if not board.of_kind("blue"):
        yield "the blue path is missing (kind 'blue')"
    for space in board.spaces.values():
        kinds = [kind for kind in KINDS if kind in space.kinds]
        if len(kinds) != 1:
            yield f"{space.id} must be exactly one of {', '.join(KINDS)}"
            continue
        for link, wanted in LINKS[kinds[0]].items():
            to = board.spaces.get(space.links.get(link, ""))
            if to is None or not to.kinds & set(wanted):
                yield f"{space.id} is {kinds[0]} and needs a link '{link}' to a space that is {' or '.join(wanted)}"


def _ports(board: Board) -> Iterator[str]:  # KK-02
    found = Counter(str(port.facts.get("port", "")) for port in board.of_kind("port"))
    for seat in SEATS:
        if found[seat] != 1:
            yield f"one port must be {NAMES[seat]} (fact 'port': {seat}), and this board has {found[seat]} (KK-02)"
    for port in board.of_kind("port"):
        if port.facts.get("port") not in SEATS:
            yield f"{port.id} must be named as one of the ports (fact 'port': one of {', '.join(SEATS)})"


def _blue_path(board: Board) -> Iterator[str]:
    blue = board.of_kind("blue")
    path, seen = [blue[0]], {blue[0].id}
    while (following := board.spaces[path[-1].links["next"]]).id not in seen:
        path.append(following)
        seen.add(following.id)
    if following is not blue[0]:
        yield f"the blue path does not come back to {blue[0].id}: {path[-1].id} leads to {following.id}, where it was before"
    if missed := [space.id for space in blue if space.id not in seen]:
        yield f"the blue path misses {', '.join(missed[:5])}"
    elif runs_clockwise(path):
        yield "the links 'next' run clockwise; an army advances to its owner's right, which is counter-clockwise (KK-21)"


def runs_clockwise(path: list[Space]) -> bool:
    """Seen from above, with y running down the board."""
    corners = [space.centre for space in path]
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True)) > 0


def _places_of_ports(board: Board) -> Iterator[str]:
    beside: dict[str, str] = {}
    for port in board.of_kind("port"):
        left, right = port.links["left"], port.links["right"]
        if board.spaces[left].links["next"] != right:
            yield f"{port.id} lies between {left} and {right}, but the space after {left} is {board.spaces[left].links['next']}"
        elif left in beside:
            yield f"{beside[left]} and {port.id} both lie between {left} and {right}; two ports need a space between them"
        beside[left] = port.id


def _ways_to_berlin(board: Board) -> Iterator[str]:
    owner: dict[str, str] = {}
    for port in board.of_kind("port"):
        space = board.spaces[port.links["up"]]
        while "pink" in space.kinds:
            if space.id in owner:
                yield f"{space.id} is reached from {owner[space.id]} and again from {port.id}; each port needs a way of its own"
                break
            owner[space.id] = port.id
            space = board.spaces[space.links["up"]]
    if lost := [space.id for space in board.of_kind("pink") if space.id not in owner]:
        yield f"no port leads to {', '.join(lost[:5])}"
