"""Draws what was seen into the picture, for people: outlines of the spaces, what stands there, and what could not be seen."""

from __future__ import annotations

import cv2
import numpy as np

from vision.flat import Flat, space_outline
from vision.marks import EMPTY, Sighting
from vision.view import Array, View

_FREE, _SEEN, _UNSURE, _HIDDEN = (150, 150, 150), (60, 200, 60), (0, 190, 255), (60, 60, 230)


def overlay(frame: Array, view: View, flat: Flat, sighting: Sighting) -> Array:
    drawn = frame.copy()
    degrees = sighting.arrow.degrees if sighting.arrow else 0.0
    scale = max(0.35, frame.shape[1] / 1280 * 0.4)
    for name, belief in sighting.beliefs.items():
        corners = view.pixels(space_outline(flat, name, degrees))
        sure = belief.is_sure
        colour = _HIDDEN if belief.hidden else _FREE if belief.best == EMPTY and sure else _SEEN if sure else _UNSURE
        cv2.polylines(drawn, [np.round(corners * 16).astype(np.int32)], True, colour, 1 if colour == _FREE else 2, cv2.LINE_AA, 4)
        text = belief.hidden or "+".join(belief.best)
        if text:
            middle = corners.mean(0)
            at = (int(middle[0]) - 3 * len(text), int(middle[1]))
            cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 3, cv2.LINE_AA)
            cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (255, 255, 255), 1, cv2.LINE_AA)
    return drawn
