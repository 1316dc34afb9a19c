"""Looks at a printed PDF as a scanner would: pages as grey or colour pictures of known scale."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pypdfium2

from companion.printing.paper import MARGIN, Drawing, page_for, tiles

Picture = Any  # a numpy array of bytes


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """In millimetres."""
    document = pypdfium2.PdfDocument(pdf)
    return [tuple(round(side / 72 * 25.4, 2) for side in page.get_size()) for page in document]  # type: ignore[misc]


def scan(pdf: bytes, pixels_per_mm: float) -> list[Picture]:
    """Every page in colour (BGR)."""
    document = pypdfium2.PdfDocument(pdf)
    return [page.render(scale=pixels_per_mm * 25.4 / 72).to_numpy()[:, :, :3].copy() for page in document]


def put_together(pdf: bytes, drawing: Drawing, paper: str, per_mm: float) -> Picture:
    """The sheets cut at their marks and glued: one picture of the whole drawing."""
    whole = np.full((round(drawing.height * per_mm), round(drawing.width * per_mm), 3), 128, np.uint8)
    pages = scan(pdf, per_mm)
    for tile, page in zip(tiles(drawing.width, drawing.height, page_for(drawing.width, drawing.height, paper)), pages, strict=False):
        # Whole pixels of the result, taken from where they lie on the page.
        left, top = round(tile.x * per_mm), round(tile.y * per_mm)
        right, bottom = round((tile.x + tile.width) * per_mm), round((tile.y + tile.height) * per_mm)
        shift = np.float32([[1, 0, (MARGIN - tile.x) * per_mm + left], [0, 1, (MARGIN - tile.y) * per_mm + top]])
        whole[top:bottom, left:right] = cv2.warpAffine(
            page, shift, (right - left, bottom - top), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
    return whole


def texts(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(pdf)]


def find_tags(picture: Picture) -> dict[int, np.ndarray[Any, Any]]:
    """The corners of each tag in pixels, by OpenCV's own detector."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    return {} if ids is None else {int(id): found[0] for id, found in zip(ids.flatten(), corners, strict=True)}


def longest_dark_line(picture: Picture) -> int:
    """Pixels of the longest unbroken horizontal dark run."""
    longest = 0
    for row in cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) < 128:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        longest = max(longest, int(max(edges[1::2] - edges[::2], default=0)))
    return longest
