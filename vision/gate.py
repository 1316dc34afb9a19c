"""Does anything move? A cheap look at every frame, so that nothing is decided while a hand is over the board.

    gate = Gate()
    gate.is_still(frame, time)      # True once nothing has moved for long enough to be believed
    gate.moving, gate.still_frames  # since when
    gate.accept()                   # this frame was understood: from here on...
    gate.changed                    # ...what share of the picture differs from it: a hand that rests is no movement, but a change

One pixel of every 8 × 8 (of 12 × 12 in a large frame) is looked at. How much a still picture flickers is learned from the camera, by
brightness (bright parts are noisier, lamps flicker), and follows it when the light changes; hands are rare enough not to be learned.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

COLUMNS = 160  # looked at, of a frame of any size
FRAMES, SECONDS = 2, 0.12  # a picture is still when it equals all those of so many frames and seconds before
LEVELS = 8  # of brightness, each with a noise of its own
LEARN = 12  # frames learned from at the beginning
LEARN_AGAIN = 64  # then every so many
REFRESH = 8  # frames for which limits by place are kept
QUIET_PART = 0.9  # of the pixels of a still picture differ by no more than this part's largest difference...
MARGIN = 4.0  # ...times this: normal noise exceeds it once in ten million
LEAST = 3  # grey levels: a change smaller than this is no piece and no hand
FEWEST = 5  # looked-at pixels that must differ: less than a fingertip


class Gate:
    def __init__(self) -> None:
        self.moving = True
        self.still_frames = 0
        self._last: deque[tuple[float, Array]] = deque()
        self._steady: Array | None = None
        self._noises: deque[Array] = deque(maxlen=2 * LEARN)
        self._limits = np.full(256, 255, np.uint8)  # by brightness: what a pixel may differ without having changed
        self._map: Array | None = None  # the same for each pixel that is looked at
        self._seen = 0

    def is_still(self, frame: Array, time: float) -> bool:
        """Tell it every frame with its time in seconds; True while nothing moves."""
        now = look(frame)
        if self._last and self._last[-1][1].shape != now.shape:
            self._start_again()
        self._learn(now)
        if self._map is None or self._seen % REFRESH == 0:
            self._map = cv2.LUT(now, self._limits)
        while len(self._last) > FRAMES and self._last[1][0] <= time - SECONDS:
            self._last.popleft()
        self.moving = len(self._noises) < 3 or any(_differing(now, before, self._map) >= FEWEST for _, before in self._last)
        self._last.append((time, now))
        if self.moving:
            self.still_frames = 0
            return False
        self.still_frames += 1
        return True

    def accept(self) -> None:
        """The latest frame was understood: compare with it from here on."""
        self._steady = self._last[-1][1] if self._last else None

    @property
    def changed(self) -> float:
        """The share of the picture that differs from the last one accepted; 0 before any was."""
        if self._steady is None or not self._last or self._last[-1][1].shape != self._steady.shape:
            return 0.0
        return _differing(self._last[-1][1], self._steady, cv2.LUT(self._steady, self._limits)) / self._steady.size

    def _start_again(self) -> None:
        self._last.clear()
        self._noises.clear()
        self._steady, self._map, self._seen = None, None, 0

    def _learn(self, now: Array) -> None:
        """How much this camera's pixels differ from one frame to the next where nothing happens."""
        self._seen += 1
        if not self._last or (self._seen > LEARN + 1 and self._seen % LEARN_AGAIN):
            return
        difference, level = cv2.absdiff(now, _as_bright(self._last[-1][1], now)), now // (256 // LEVELS)
        noise = np.full(LEVELS, np.nan)
        for i in range(LEVELS):
            differences = difference[level == i]
            if differences.size >= 50:
                noise[i] = np.quantile(differences, QUIET_PART) + 0.5  # whole grey levels are rounded
        if np.isnan(noise).all():
            return
        known = np.flatnonzero(~np.isnan(noise))
        self._noises.append(np.interp(np.arange(LEVELS), known, noise[known]))
        # Of many moments the calmer ones: in the others something may have moved.
        calm = np.quantile(np.array(self._noises), 0.3, axis=0)
        by_level = np.interp(np.arange(256), (np.arange(LEVELS) + 0.5) * 256 / LEVELS, calm / 1.645 * MARGIN)
        self._limits = np.clip(np.ceil(by_level), LEAST, 255).astype(np.uint8)
        self._map = None


def look(frame: Array) -> Array:
    """The few pixels that are looked at, one channel of each."""
    step = max(1, frame.shape[1] // COLUMNS)
    half = step // 2
    return np.ascontiguousarray(frame[half::step, half::step, 1] if frame.ndim == 3 else frame[half::step, half::step])


def _as_bright(picture: Array, as_this: Array) -> Array:
    """Lamps flicker: the picture with the other's brightness."""
    gain = (cv2.mean(as_this)[0] + 1) / (cv2.mean(picture)[0] + 1)
    # Less than half a grey level even where it is brightest is nothing to correct.
    return picture if abs(gain - 1) < 0.5 / 255 else cv2.convertScaleAbs(picture, alpha=gain)


def _differing(now: Array, before: Array, limits: Array) -> int:
    return cv2.countNonZero(cv2.compare(cv2.absdiff(now, _as_bright(before, now)), limits, cv2.CMP_GT))
