"""What every pixel of a picture is worth for every piece, in nats: how much better the piece explains it than the empty board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import cv2
import numpy as np

from vision.background import ANYTHING, ONE_LOOK, Reading
from vision.flat import Flat
from vision.memory import brush
from vision.pieces import NEITHER, Piece, telling
from vision.view import Array

LITTLE = 1.5  # nats of doubt about a pixel that count for nothing
SEEN_THROUGH = 3.0  # nats at most against a piece for a pixel that shows the board: outlines are never quite right
ROUND = 8.0  # millimetres round what is in doubt that are looked at closely as well


class Worth(NamedTuple):
    gains: dict[str, Array]  # of each piece: what speaks for it and against it
    telling: dict[str, Array]  # how far a bare pixel speaks against it, 0 to 1
    doubtful: Array  # pixels that are not plainly the board


def worth(pieces: Mapping[str, Piece], reading: Reading, flat: Flat) -> Worth:
    per_pixel = flat.pitch**2 / ONE_LOOK
    # Only pixels that are not plainly the board need a closer look: a shadow, or a piece?
    doubt = (ANYTHING - reading.plain) * np.float32(per_pixel)
    doubt[reading.unknown] = 0
    doubt -= np.float32(LITTLE * per_pixel)  # many pixels that are all a little off are a gleam, not a piece
    solid = cv2.morphologyEx((doubt > 0).astype(np.uint8), cv2.MORPH_OPEN, brush(flat.pitch))
    # Round them too: print has edges, where a piece and the board are told apart less well than elsewhere.
    reach = 2 * int(np.ceil(ROUND / flat.pitch)) + 1
    odd = np.flatnonzero(cv2.dilate(solid, np.ones((reach, reach), np.uint8)))
    own = (reading.features.reshape(-1, 3)[odd] - reading.light.reshape(-1, 3)[odd]).astype(np.float32)
    grain = reading.grain.reshape(-1, 3)[odd]
    spread = (np.median(reading.spread[::4, ::4][flat.on_board[::4, ::4]], 0) + grain).astype(np.float32)
    bare = np.maximum(reading.empty.reshape(-1)[odd], np.float32(NEITHER))
    most = np.where(solid.reshape(-1)[odd] > 0, np.maximum(doubt.reshape(-1)[odd], 0), 0)
    # Pieces of one wood look alike: each wood is looked at once.
    woods = {wood_of(piece): piece for piece in pieces.values()}
    fits = {wood: (piece.likelihood(own, spread) - bare) * np.float32(per_pixel) for wood, piece in woods.items()}
    # A pixel speaks for pieces at most as far as it speaks against the empty board; between pieces it speaks in full.
    excess = np.maximum(np.max(list(fits.values()), 0) - most, 0) if fits else 0.0
    tells = {wood: telling(piece, reading) for wood, piece in woods.items()}
    gains = {}
    for wood in woods:
        gain = tells[wood] * np.float32(-SEEN_THROUGH * per_pixel)
        gain[reading.unknown] = 0
        flat_gain = gain.reshape(-1)
        flat_gain[odd] = np.maximum(fits[wood] - excess, flat_gain[odd])
        gains[wood] = gain
    return Worth(
        {mark: gains[wood_of(piece)] for mark, piece in pieces.items()},
        {mark: tells[wood_of(piece)] for mark, piece in pieces.items()},
        solid > 0,
    )


def wood_of(piece: Piece) -> tuple[object, ...]:
    return piece.clouds, piece.taught
