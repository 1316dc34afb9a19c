"""Shadows on the board: each lamp throws every body's outline onto the board's plane; high things throw softer ones."""

from __future__ import annotations

import cv2
import numpy as np

from vision.rendered.conditions import Lamp
from vision.rendered.covers import Limb
from vision.rendered.sprites import Placed, Stand
from vision.view import Array, View

_SHIFT = 4
_RING = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], -1)


def _thrown(points: Array, lamp_at: Array) -> Array:
    """Where points (…, 3) throw their shadow on the board's plane."""
    along = lamp_at[2] / np.maximum(lamp_at[2] - points[..., 2:], 1.0)
    return np.asarray(lamp_at[:2] + (points[..., :2] - lamp_at[:2]) * along)


def _circles(placed: Placed) -> Array:
    """Rings (slices, corners, 3) round a body."""
    body = placed.body
    rings = []
    for z, radius in body.profile[:: 1 if len(body.profile) < 6 else 2]:
        middle = np.array(placed.at) + np.array(placed.lean) * z
        rings.append(np.concatenate([middle + radius * _RING, np.full((16, 1), placed.height + z)], -1))
    return np.array(rings)


def lamp_on_board(lamp: Lamp, stand: Stand) -> Array:
    """The lamp's place in millimetres of the board as it lies now."""
    place = stand.light.place(lamp)
    width, height = stand.light.size_mm
    middle, angle = np.array([width / 2, height / 2]), -np.radians(stand.pose.degrees)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = spin @ (place[:2] - middle - np.array([stand.pose.dx, stand.pose.dy])) + middle
    return np.array([*flat, place[2]])


def body_shadow(placed: Placed, lamp_at: Array, view: View) -> Array:
    """The outline of a body's shadow in the frame."""
    spread = _thrown(_circles(placed), lamp_at).reshape(-1, 2)
    hull = cv2.convexHull(spread.astype(np.float32))[:, 0]
    return view.pixels(hull)


def contact(placed: Placed, view: View) -> Array:
    return view.pixels(np.array(placed.at) + (placed.body.foot + 0.9) * _RING)


def limb_shadow(limb: Limb, lamp_at: Array, view: View) -> Array:
    ends = zip((limb.start, limb.end), limb.radii, strict=True)
    rings = np.array([np.concatenate([end[:2] + radius * _RING, np.full((16, 1), end[2])], -1) for end, radius in ends])
    spread = _thrown(rings, lamp_at).reshape(-1, 2)
    return view.pixels(cv2.convexHull(spread.astype(np.float32))[:, 0])


def mask(outlines: list[Array], size: tuple[int, int], soft: float) -> Array:
    """A soft mask (0 to 1) of outlines, on half the frame's pixels each way; `soft` is a sigma in pixels of the frame."""
    small = np.zeros((size[1] // 2, size[0] // 2), np.uint8)
    for outline in outlines:
        points = np.round(((outline + 0.5) / 2 - 0.5) * (1 << _SHIFT)).clip(-1e6, 1e6).astype(np.int32)
        cv2.fillConvexPoly(small, points, 255, cv2.LINE_AA, _SHIFT)
    return cv2.GaussianBlur(small, (0, 0), max(soft / 2, 0.4)).astype(np.float32) / 255
