"""What should stand on the real board, and what a person does to get there.

A camera compares with a `Layout`; a phone tells people the `Change`s between two of them. Equal pieces carry equal names
(there is no telling one red marker from another), so a layout is a bag, not a map.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from typing import NamedTuple

from companion.events import BadInput, brief, one_of


class Standing(NamedTuple):
    """One piece on the board: which, where, which face is up, and its level in a stack (0 lies on the board)."""

    piece: str
    space: str
    face: str = ""
    level: int = 0


class Layout(NamedTuple):
    """All pieces that stand on the board, and the number at which a turning platform should point (None: none)."""

    standing: tuple[Standing, ...]
    platform: int | None = None


class Supply(NamedTuple):
    """What the box holds of one piece: how many of it, and its two faces if they differ."""

    piece: str
    number: int
    faces: tuple[str, ...] = ()


class Change(NamedTuple):
    """One physical act: take, move, put, flip (the same piece, other face) or turn (the platform)."""

    do: str
    piece: str = ""
    start: str = ""
    to: str = ""
    face: str = ""


def changes(before: Layout, after: Layout) -> tuple[Change, ...]:
    """The acts that lead from one layout to the other: the platform first, then off, across, over, and on."""
    gone = Counter((s.piece, s.space, s.face) for s in before.standing)
    come = Counter((s.piece, s.space, s.face) for s in after.standing)
    gone, come = gone - come, come - gone
    acts: list[Change] = []
    if after.platform is not None and after.platform != before.platform:
        acts.append(Change("turn", "platform", "" if before.platform is None else str(before.platform), str(after.platform)))
    moved, flipped, put = [], [], []
    for piece, space, face in come.elements():
        same_place = next((g for g in gone.elements() if g[0] == piece and g[1] == space), None)
        elsewhere = next((g for g in gone.elements() if g[0] == piece), None)
        if same_place:
            gone -= Counter([same_place])
            flipped.append(Change("flip", piece, space, space, face))
        elif elsewhere:
            gone -= Counter([elsewhere])
            moved.append(Change("move", piece, elsewhere[1], space, face if face != elsewhere[2] else ""))
        else:
            put.append(Change("put", piece, "", space, face))
    taken = [Change("take", piece, space) for piece, space, _ in gone.elements()]
    return (*acts, *taken, *moved, *flipped, *put)


def check_pieces(wanted: Layout, box: Iterable[Supply], spaces: Container[str]) -> None:
    """Refuse what nobody could put on the board: pieces that are not in the box, a fifth of four, a space that is not there."""
    supplies = {supply.piece: supply for supply in box}
    for piece, space, face, _ in wanted.standing:
        supply = supplies[one_of("piece", piece, supplies)]
        if space not in spaces:
            raise BadInput(f"pieces: {brief(space)} is no space of this board")
        if supply.faces:
            one_of(f"face of the {called(piece)}", face, supply.faces)
        elif face:
            raise BadInput(f"pieces: the {called(piece)} looks the same on both sides, so it has no face {brief(face)}")
    for piece, count in Counter(standing.piece for standing in wanted.standing).items():
        if count > supplies[piece].number:
            raise BadInput(f"pieces: that would be {count} of the {called(piece)}, and there are only {supplies[piece].number}")


def called(piece: str) -> str:
    return piece.replace("-", " ")
