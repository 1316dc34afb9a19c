"""Draws one body as the camera sees it: perspective, shading, highlight and what is printed on its top.

A body is a pile of thin slices. Seen from above a higher slice always hides a lower one, so each pixel shows the highest slice
that it meets; its normal follows from the profile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.rendered.bodies import Body
from vision.rendered.camera import on_table
from vision.rendered.conditions import Pose
from vision.rendered.light import Light
from vision.rendered.style import Colour
from vision.view import Array, View

FINE = 3  # sprites are drawn three times as fine, then averaged
PALE: Colour = (205.0, 224.0, 232.0)


@dataclass(frozen=True)
class Placed:
    """A body that stands somewhere: board millimetres of its foot, height of what it stands on, its turn and its lean."""

    body: Body
    paint: Colour
    at: tuple[float, float]
    height: float = 0.0
    turn: float = 0.0  # degrees clockwise
    lean: tuple[float, float] = (0.0, 0.0)  # millimetres sideways per millimetre upwards


@dataclass(frozen=True)
class Sprite:
    """Colours (linear light, already weighted by the cover) and cover, and where its top left pixel goes."""

    left: int
    top: int
    colours: Array
    cover: Array

    def onto(self, picture: Array) -> None:
        rows, columns = self.cover.shape
        y0, x0 = max(self.top, 0), max(self.left, 0)
        y1, x1 = min(self.top + rows, picture.shape[0]), min(self.left + columns, picture.shape[1])
        if y0 >= y1 or x0 >= x1:
            return
        part = slice(y0 - self.top, y1 - self.top), slice(x0 - self.left, x1 - self.left)
        target = picture[y0:y1, x0:x1]
        target *= 1 - self.cover[part][..., None]
        target += self.colours[part]


@lru_cache
def _outline(name: str) -> tuple[Array, Array, Array]:
    """For 720 directions: how far the outline reaches (1 at its corners), and the way its edge faces."""
    angle = np.linspace(-np.pi, np.pi, 720, endpoint=False)
    corners = {"square": 4, "triangle": 3, "hexagon": 6}.get(name, 0)
    if not corners:
        return np.ones(720), np.cos(angle), np.sin(angle)
    wedge = 2 * np.pi / corners
    facing = np.round(angle / wedge) * wedge
    reach = np.cos(np.pi / corners) / np.cos(angle - facing)
    if name == "square":  # a square's width, not its diagonal, is its size
        reach = reach / np.cos(np.pi / 4)
    return reach, np.cos(facing), np.sin(facing)


def _finer(body: Body, shift_px: float) -> tuple[Array, Array]:
    """Slices dense enough that no step is seen: heights and radii."""
    z = np.array([z for z, _ in body.profile])
    r = np.array([r for _, r in body.profile])
    wanted = int(np.clip(shift_px * FINE, 4, 26))
    heights = np.unique(np.concatenate([z, np.linspace(0, z[-1], wanted)]))
    return heights, np.interp(heights, z, r)


@dataclass(frozen=True)
class Stand:
    """Where the board's millimetres are in the room: the light and the camera stay when the board is bumped."""

    light: Light
    eye: Array  # in millimetres of the board where it lay first
    pose: Pose

    def point(self, at: tuple[float, float], height: float) -> Array:
        return np.array([*on_table(np.array(at), self.light.size_mm, self.pose), height])


def draw_body(placed: Placed, view: View, stand: Stand) -> Sprite:
    body = placed.body
    foot = np.array([*placed.at, placed.height])
    ends = np.array([foot, foot + [placed.lean[0] * body.height, placed.lean[1] * body.height, body.height]])
    base_px, top_px = view.pixels(ends).astype(float)
    heights, radii = _finer(body, float(np.hypot(*(top_px - base_px))) + 3)
    share = heights / body.height
    turn = np.radians(placed.turn)
    bow = body.bow * share**1.5
    sideways = np.stack([placed.lean[0] * heights + bow * np.cos(turn), placed.lean[1] * heights + bow * np.sin(turn)], -1)
    middles = np.concatenate([foot[:2] + sideways, (foot[2] + heights)[:, None]], -1)
    centres = view.pixels(middles).astype(float)
    jacobians = _jacobians(view, middles)
    inverse = np.linalg.inv(jacobians)

    reach = radii[:, None] * np.abs(jacobians).sum(2) * (1.0 if body.outline == "round" else 1.42)
    left, top = np.floor((centres - reach).min(0)).astype(int) - 1
    right, bottom = np.ceil((centres + reach).max(0)).astype(int) + 2
    x = (np.arange((right - left) * FINE) + 0.5) / FINE - 0.5 + left
    y = (np.arange((bottom - top) * FINE) + 0.5) / FINE - 0.5 + top
    grid = np.stack(np.meshgrid(x, y), -1)

    which, u, v = _highest(grid, centres, inverse, radii, body, turn)
    seen = which >= 0
    fine = np.zeros((*which.shape, 3), np.float32)
    fine[seen] = _shade(placed, which[seen], u[seen], v[seen], heights, radii, stand)
    size = (int(right - left), int(bottom - top))
    return Sprite(
        int(left), int(top),
        cv2.resize(fine, size, interpolation=cv2.INTER_AREA),
        cv2.resize(seen.astype(np.float32), size, interpolation=cv2.INTER_AREA),
    )  # fmt: skip


def _jacobians(view: View, points: Array) -> Array:
    """Pixels per millimetre along the board's x and y at each point: (…, 2 pixels, 2 millimetres)."""
    steps = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
    seen = view.pixels(points[:, None] + steps).astype(float)
    return np.stack([(seen[:, 0] - seen[:, 1]) / 2, (seen[:, 2] - seen[:, 3]) / 2], -1)


def _highest(grid: Array, centres: Array, inverse: Array, radii: Array, body: Body, turn: float) -> tuple[Array, Array, Array]:
    """For each pixel the highest slice that it meets (-1: none), and its place on that slice in the body's own millimetres."""
    rows, columns = grid.shape[:2]
    which = np.full((rows, columns), -1)
    u, v = np.zeros((rows, columns)), np.zeros((rows, columns))
    reach, _, _ = _outline(body.outline)
    for k, (centre, matrix, radius) in enumerate(zip(centres, inverse, radii, strict=True)):
        offset = (grid - centre) @ matrix.T
        du, dv = _turned(offset, -turn)
        far = np.hypot(du, dv)
        inside = far < radius if body.outline == "round" else far < radius * reach[_direction(du, dv)]
        which[inside] = k
        u[inside], v[inside] = du[inside], dv[inside]
    return which, u, v


def _turned(offset: Array, angle: float) -> tuple[Array, Array]:
    c, s = np.cos(angle), np.sin(angle)
    return offset[..., 0] * c - offset[..., 1] * s, offset[..., 0] * s + offset[..., 1] * c


def _direction(u: Array, v: Array) -> Array:
    return np.asarray(((np.arctan2(v, u) + np.pi) / (2 * np.pi) * 720).astype(int) % 720)


def _shade(placed: Placed, which: Array, u: Array, v: Array, heights: Array, radii: Array, stand: Stand) -> Array:
    """Linear light that comes from each pixel of the body."""
    body, last = placed.body, len(heights) - 1
    level = np.clip(which, 0, last)
    slope = np.gradient(radii, heights)
    side = 1 / np.sqrt(1 + slope**2)
    rise = -slope * side
    # Between two slices the normal goes over smoothly.
    above = np.minimum(level + 1, last)
    reach, face_x, face_y = _outline(body.outline)
    direction = _direction(u, v)
    far = np.hypot(u, v) / reach[direction]
    gap = radii[level] - radii[above]
    mix = np.clip(np.where(gap > 1e-6, (radii[level] - far) / np.maximum(gap, 1e-6), 0), 0, 1)
    up = rise[level] * (1 - mix) + rise[above] * mix
    flat_top = (level == last) & (far < radii[last])
    up = np.where(flat_top & (radii[last] > 1.0), 1.0, np.clip(up, -0.3, 1.0))
    outwards = np.sqrt(np.clip(1 - up**2, 0, 1))
    turn = np.radians(placed.turn + stand.pose.degrees)
    nx, ny = _turned(np.stack([face_x[direction], face_y[direction]], -1), turn)
    normals = np.stack([nx * outwards, ny * outwards, up], -1)

    z = heights[level]
    where = stand.point(placed.at, placed.height)
    points = np.concatenate([np.broadcast_to(where[:2], (*which.shape, 2)), (where[2] + z)[..., None]], -1)
    falling = stand.light.on(points, normals)
    close = 0.62 + 0.38 * np.clip(z / 5.0, 0, 1) if body.height > 4 else np.ones_like(z)  # little light gets in at the foot
    inks = _printed_top(body, placed.paint, u, v, flat_top)
    matt = inks * (falling * close[..., None])
    return np.asarray(matt + _highlight(body, points, normals, stand))


def _highlight(body: Body, points: Array, normals: Array, stand: Stand) -> Array:
    """The lamps' reflections on paint or plastic."""
    to_eye = stand.eye - points
    to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
    total = np.zeros(points.shape)
    for lamp in stand.light.conditions.lamps:
        to_lamp = stand.light.place(lamp) - points
        to_lamp /= np.linalg.norm(to_lamp, axis=-1, keepdims=True)
        half = to_lamp + to_eye
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        facing = np.clip((half * normals).sum(-1), 0, 1)
        total += (body.gloss * (0.9 * facing**60 + 0.12 * facing**12))[..., None] * stand.light.tint(lamp)
    return total


def _linear(colour: Colour) -> Array:
    return np.asarray((np.array(colour) / 255) ** 2.2)


def _printed_top(body: Body, paint: Colour, u: Array, v: Array, flat_top: Array) -> Array:
    """The colour of each pixel: the paint, or what is printed on the flat top."""
    colours = np.broadcast_to(_linear(body.colour or paint), (*u.shape, 3)).copy()
    size = body.profile[-1][1]
    x, y = u / size, v / size
    far = np.hypot(x, y)
    if body.face == "advance":
        colours[flat_top & _arrow(x, y)] = _linear(PALE)
    elif body.face == "retreat":
        colours[flat_top & (far < 0.8) & ~_arrow(x, y)] = _linear(PALE)
    elif body.face == "ring":
        colours[flat_top & (np.abs(far - 0.66) < 0.07)] *= 0.55
    elif body.face == "holes":
        holes = (np.abs(np.abs(x) - 0.22) < 0.1) & (np.abs(np.abs(y) - 0.22) < 0.1)
        colours[flat_top & holes] *= 0.12
    elif body.face == "coin":
        colours[flat_top & ((np.abs(far - 0.88) < 0.05) | ((np.abs(x) < 0.22) & (np.abs(y) < 0.4)))] *= 0.6
    elif body.face == "pips":
        pips = [(0.0, 0.0), (-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)]
        colours[flat_top & np.any([np.hypot(x - a, y - b) < 0.17 for a, b in pips], axis=0)] *= 0.05
    elif body.face == "coffee":
        colours[flat_top & (far < 0.9)] *= 0.45
        colours[flat_top & (far < 0.86)] = _linear((14.0, 26.0, 42.0))
    return colours


def _arrow(x: Array, y: Array) -> Array:
    """An arrow that points along -y, within a disc of radius 1."""
    tip = (y > -0.62) & (y < 0.0) & (np.abs(x) < 0.62 * (y + 0.62) / 0.62)
    shaft = (y >= 0.0) & (y < 0.58) & (np.abs(x) < 0.24)
    return np.asarray(tip | shaft)
