"""The last picture of which it is known what stood in it: what has changed since?"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.background import Reading
from vision.flat import Flat, turned
from vision.marks import EMPTY, Content
from vision.view import Array


class Memory:
    """The last picture of which it is known what stood in it."""

    def __init__(self, reading: Reading, standing: dict[str, Content], worth: Mapping[str, Mapping[Content, float]]) -> None:
        """`worth`: what each content was worth by that picture alone, in nats."""
        self.reading, self.standing, self.worth = reading, standing, worth

    def mistaken(self, space: str, content: Content) -> float:
        """How much better than what stood there this content explained the picture: so much it may mislead again."""
        worth = self.worth.get(space, {})
        here = self.standing.get(space, EMPTY)
        return max(worth[content] - worth[here], 0.0) if here in worth and content in worth else 0.0

    def changed(self, flat: Flat, now: Reading) -> Array:
        """Which pixels differ from it, carried along with the platform."""
        before = self.reading
        off, spread, unknown = before.off, before.spread, before.unknown
        turn = (now.degrees - before.degrees + 180.0) % 360.0 - 180.0
        if flat.table and abs(turn) > 0.2:
            source = flat.pixel(turned(flat.points, flat.table, -turn)).astype(np.float32)
            maps = (source[..., 0].copy(), source[..., 1].copy())
            on = flat.on_platform
            off = np.where(on[..., None], cv2.remap(off, *maps, cv2.INTER_LINEAR), off)
            spread = np.where(on[..., None], cv2.remap(spread, *maps, cv2.INTER_LINEAR), spread)
            unknown = np.where(on, cv2.remap(unknown.astype(np.uint8), *maps, cv2.INTER_NEAREST) > 0, unknown)
        apart = (now.off - off) ** 2 > 3.5**2 * (now.spread + spread)
        differs = (apart.any(-1) & ~unknown & ~now.unknown).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, brush(flat.pitch)) > 0)


def brush(pitch: float) -> Array:
    """What is thinner than this is a thread: 3 mm."""
    wide = max(2, round(3.0 / pitch))
    return np.ones((wide, wide), np.uint8)
