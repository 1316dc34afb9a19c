"""Finding a board by the small picture that its own file brings, laid flat: no tags, no frame, no tapped corner."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.first_sight import is_clockwise
from vision.likeness import DISTINCT, FEWEST, MOST, small

Array = NDArray[Any]

SURE = 20  # features that must agree
SMALLEST = 0.04  # of the picture: a board is larger


def corners_by_picture(frame: Array, board: Board, jpeg: bytes) -> Array | None:
    """Top left, top right, bottom right, bottom left of the board in the frame, pixels; None where its picture is not seen."""
    flat = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    if flat is None:
        return None
    (reference, unit), (grey, pixel) = small(flat), small(frame)
    sift = cv2.SIFT.create(MOST, contrastThreshold=0.02)
    own, told = sift.detectAndCompute(reference, None)
    keys, seen = sift.detectAndCompute(grey, None)
    if told is None or seen is None or len(told) < 2 or len(seen) < 2:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(seen, told, k=2)
    good = [near for near, second in pairs if near.distance < DISTINCT * second.distance]
    if len(good) < FEWEST:
        return None
    scale = np.array(board.size_mm) / (flat.shape[1], flat.shape[0])
    places = (np.array([own[m.trainIdx].pt for m in good]) + 0.5) * unit * scale
    pixels = (np.array([keys[m.queryIdx].pt for m in good]) + 0.5) * pixel - 0.5
    plane, kept = cv2.findHomography(places, pixels, cv2.USAC_MAGSAC, 3 * pixel, maxIters=5000, confidence=0.999)
    if plane is None or kept is None or kept.sum() < SURE:
        return None
    width, height = board.size_mm
    corners = cv2.perspectiveTransform(np.array([[[0, 0]], [[width, 0]], [[width, height]], [[0, height]]], float), plane).reshape(4, 2)
    is_board = is_clockwise(corners) and cv2.contourArea(corners.astype(np.float32)) > SMALLEST * frame.shape[0] * frame.shape[1]
    return np.asarray(corners) if is_board else None
