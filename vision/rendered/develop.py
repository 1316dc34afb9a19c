"""From light to picture: exposure, the tone curve, blur, sensor noise and JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from vision.rendered.chance import chance
from vision.rendered.conditions import Conditions
from vision.view import Array

WHITE = 0.72  # what fully lit white paper gives at exposure 0: some headroom is left
_STEPS = 4096
_LINEAR = np.arange(_STEPS) / (_STEPS - 1)
_TONE = np.where(_LINEAR <= 0.0031308, _LINEAR * 12.92, 1.055 * np.maximum(_LINEAR, 1e-9) ** (1 / 2.4) - 0.055)
TONE = np.round(255 * _TONE).astype(np.uint8)
_SPARE = 64  # the sheet of noise is this much larger than a frame


class Sensor:
    def __init__(self, conditions: Conditions, size: tuple[int, int], seed: int) -> None:
        self.conditions = conditions
        # One large sheet of noise; each frame takes another part of it. A bright pixel's noise is larger in light, but hardly
        # so in grey levels, so one strength serves.
        sheet = chance(seed, "sensor").standard_normal((size[1] + _SPARE, size[0] + _SPARE, 3), np.float32)
        soft = cv2.GaussianBlur(sheet, (0, 0), 0.6)  # cameras smooth it a little
        self._noise = np.clip(np.round(soft / soft.std() * conditions.noise), -127, 127).astype(np.int8)

    def develop(self, light: Array, *key: object) -> Array:
        """The frame that this light gives; `key` names the frame, so that its noise can be drawn again."""
        dice = chance("frame", *key)
        flicker = 1 + self.conditions.flicker * float(np.clip(dice.standard_normal(), -2, 2))
        gain = WHITE * 2.0**self.conditions.exposure * flicker
        if self.conditions.blur:
            light = cv2.GaussianBlur(light, (0, 0), self.conditions.blur)
        frame = TONE[np.clip(light * (gain * (_STEPS - 1)), 0, _STEPS - 1).astype(np.uint16)]
        if self.conditions.noise:
            x, y = int(dice.integers(_SPARE)), int(dice.integers(_SPARE))
            part = self._noise[y : y + frame.shape[0], x : x + frame.shape[1]]
            frame = cv2.add(frame, part[:: int(dice.choice([1, -1]))], dtype=cv2.CV_8U)
        if self.conditions.jpeg:
            _, coded = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, self.conditions.jpeg))
            frame = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        return np.asarray(frame)
