"""The eye: what stands on every space of the board in a picture, as far as it can be seen.

    eye = calibration.eye()
    sighting = eye.look(frame, view, wanted)   # beliefs for every space
    eye.confirm(standing)                      # the referee and the players agree that this is what stood there

A picture in which nothing has changed since the last look costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.background import Background, Reading
from vision.flat import space_outline
from vision.looking import Look, Place
from vision.marks import Arrow, Content, Sighting
from vision.memory import Memory
from vision.pieces import Piece, lean
from vision.platform import TurningPlatform
from vision.steady import Steady
from vision.teaching import kind_of, learn_pieces, of_one_colour
from vision.view import Array, View

_UNKNOWN = Piece("", 0.0, 0.0, (), taught=False)


class Eye:
    """Knows one board, its empty look, and its pieces; remembers what it saw last."""

    def __init__(self, background: Background, pieces: Mapping[str, Piece]) -> None:
        self.flat = background.flat
        self.pieces: dict[str, Piece] = {}
        self.platform: TurningPlatform | None = TurningPlatform(background) if self.flat.table else None
        self.memory: Memory | None = None
        self._last: tuple[Reading, View] | None = None
        self._seen: Sighting | None = None
        self._worth: Mapping[str, Mapping[Content, float]] = {}
        self._steady: Steady | None = None
        self._start(background)
        self.learn(pieces)

    def _start(self, background: Background) -> None:
        self.background = background
        self._places: dict[tuple[View, float], dict[str, Place]] = {}

    def learn(self, pieces: Mapping[str, Piece]) -> None:
        self._steady = None
        self.pieces |= pieces
        self.families = families(self.pieces)
        self._places.clear()

    def look(self, frame: Array, view: View, wanted: Mapping[str, Sequence[Content]] | None = None) -> Sighting:
        """What stands on every space; `wanted` names contents that matter beside the empty space and single pieces, first of
        each space what the table knows."""
        wanted = {} if wanted is None else wanted
        if self._steady and self._steady.is_same(frame, view, wanted):
            return self._steady.sighting
        self._meet({mark for contents in wanted.values() for content in contents for mark in content})
        arrow = None
        if self.platform:
            arrow = self.platform.find(frame, view)
            if self.platform.background is not self.background:
                self._start(self.platform.background)
        reading = self.background.read(frame, view, arrow.degrees if arrow else 0.0)
        self._last = (reading, view)
        sighting = self.explain(reading, view, wanted, arrow)
        self._seen = sighting
        self._steady = Steady(frame, view, wanted, sighting, self.flat, self.background.noise)
        return sighting

    def confirm(self, standing: Mapping[str, Content]) -> None:
        """The last look showed just this: the referee and the players agree. What was new in it is learned."""
        if self._last is None:
            return
        reading, view = self._last
        self.memory = Memory(reading, dict(standing), self._worth)
        self._steady = None
        new = {mark for content in standing.values() for mark in content if not self.pieces.get(mark, _UNKNOWN).taught}
        if new:
            # What looks just like the face that is known teaches nothing: perhaps nobody turned it over.
            alone = {
                space: content
                for space, content in standing.items()
                if len(content) == 1 and content[0] in new and self._seen and self._seen.beliefs[space].best == content
            }
            self.learn(learn_pieces(self.flat, view, reading, alone))

    def forget(self) -> None:
        """Something happened that makes the last look worthless: the board or the camera was knocked."""
        self.memory = self._steady = None

    def explain(
        self, reading: Reading, view: View, wanted: Mapping[str, Sequence[Content]], arrow: Arrow | None = None
    ) -> Sighting:
        looked = Look(self, reading, self.places(view, reading.degrees))
        looked.find_covers()
        looked.place_all()
        looked.find_straddlers()
        self._worth = looked.worth
        return Sighting({name: looked.belief(name, wanted.get(name, ())) for name in looked.places}, arrow)

    def _meet(self, marks: set[str]) -> None:
        """Pieces that may come and were never shown: another face of a known piece, or quite unknown."""
        new = {}
        for mark in sorted(marks - set(self.pieces)):
            piece, _, _ = mark.partition("/")
            other = next((p for m, p in self.pieces.items() if m.partition("/")[0] == piece), None)
            alike = other or next((p for m, p in self.pieces.items() if kind_of(m) == kind_of(mark)), None)
            size = (alike.radius, alike.height) if alike else (7.0, 5.0)
            # Another face shows the same colours, nobody knows how much of each.
            clouds = tuple(replace(cloud, share=1 / len(other.clouds)) for cloud in other.clouds) if other else ()
            new[mark] = Piece(mark, *size, clouds, taught=False)
        if new:
            self.learn(new)

    def places(self, view: View, degrees: float) -> dict[str, Place]:
        key = (view, round(degrees, 2))
        if key not in self._places:
            if len(self._places) > 50:
                self._places.clear()
            flat, places = self.flat, {}
            tallest = max((p.height for p in self.pieces.values()), default=1.0)
            widest = max((p.radius for p in self.pieces.values()), default=5.0)
            for name in flat.board.spaces:
                corners = space_outline(flat, name, degrees)
                leaning = lean(view, corners.mean(0))
                reach = int(np.ceil((widest + tallest * float(np.abs(leaning).max())) / flat.pitch)) + 2
                places[name] = Place(name, flat.mask(corners), leaning, reach)
            self._places[key] = places
        return self._places[key]


def _faces(one: str, other: str) -> bool:
    """Two faces of one piece differ by how much of each colour they show, which is seen well."""
    return one.partition("/")[0] == other.partition("/")[0]


def families(pieces: Mapping[str, Piece]) -> list[list[str]]:
    """Pieces that show the same colours."""
    groups: list[list[str]] = []
    for mark, piece in pieces.items():
        for group in groups:
            if any(of_one_colour(mark, other) or (piece.is_like(pieces[other]) and not _faces(mark, other)) for other in group):
                group.append(mark)
                break
        else:
            groups.append([mark])
    return [group for group in groups if len(group) > 1]
