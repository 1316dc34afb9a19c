"""Telling pieces of one colour apart: by how much larger one shows than the other, learned from the taught ones themselves.

A large piece and a small one of the same paint differ only at the large one's rim, where blur, shading and shadow are. How much the
rim says is measured on the taught pieces; the border between two sizes lies midway between what it says of the one and of the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from vision.background import Reading
from vision.looking import Look
from vision.marks import Content
from vision.pieces import Piece
from vision.sighting import Eye
from vision.teaching import kind_of
from vision.view import View


def told_apart(eye: Eye, reading: Reading, view: View, standing: Mapping[str, Content]) -> dict[str, Piece]:
    """The eye's pieces with what leads each has over smaller ones of its colour."""
    looked = Look(eye, reading, eye.places(view, reading.degrees))
    place = {content[0]: looked.places[space] for space, content in standing.items() if len(content) == 1}

    def worth(mark: str, of: str) -> float:
        return looked.best(place[of], mark, np.ones(place[of].inside.shape, np.float32))[0]

    borders: dict[tuple[str, str], list[float]] = defaultdict(list)
    # Counters are all of one size: what tells them and their faces apart is colour.
    sized = [[mark for mark in family if mark in place and "/" not in mark] for family in eye.families]
    chains = [sorted(family, key=lambda m: eye.pieces[m].radius) for family in sized]
    for chain in chains:
        for small, large in pairwise(chain):
            says = [worth(large, of) - worth(small, of) for of in (small, large)]
            borders[kind_of(small), kind_of(large)].append(float(np.mean(says)))
    pieces = dict(eye.pieces)
    for chain in chains:
        for small, large in pairwise(chain):
            border = float(np.mean(borders[kind_of(small), kind_of(large)]))
            pieces[large] = replace(pieces[large], lead=pieces[small].lead + border)
    return pieces
