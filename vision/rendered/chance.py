"""Chance that can be repeated: every random choice has its own stream, named by what it is for."""

from __future__ import annotations

from zlib import crc32

import numpy as np


def chance(*key: object) -> np.random.Generator:
    """The stream of random numbers for this key; equal keys give equal streams, whatever else was drawn before."""
    return np.random.default_rng([crc32(repr(key).encode()), crc32(repr(key[::-1]).encode())])
