"""The table and the bare board as the camera sees them under the lamps: drawn once for a place of the board, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np

from vision.rendered.art import SCALE, Print, strips
from vision.rendered.camera import Box, box_round, flat, ground_map, moved, on_table
from vision.rendered.cloth import TILE_SCALE, Tags
from vision.rendered.conditions import Conditions, Pose
from vision.rendered.light import Light, mirrored
from vision.view import Array, Bend, View

FINE = 2  # the ground is drawn twice as fine and averaged, so that edges are soft and in the right place
_LEVEL = np.arange(256) / 255
LINEAR = np.where(_LEVEL <= 0.04045, _LEVEL / 12.92, ((_LEVEL + 0.055) / 1.055) ** 2.4).astype(np.float32)
CARDBOARD = LINEAR[[98, 118, 132]]
COARSE = 8  # light changes slowly: every eighth pixel is enough

@dataclass
class Ground:
    """What is still, in linear light, for a board that lies still."""

    view: View  # of the board as it lies
    picture: Array  # (rows, columns, 3), the platform left out
    light: Array  # what falls on each pixel
    shares: tuple[Array, ...]  # of each lamp in that light, on half the pixels each way
    platform_box: Box | None = None
    platform_map: Array | None = None


@dataclass
class Bench:
    """All that a ground is made from."""

    size_mm: tuple[float, float]
    conditions: Conditions
    light: Light
    tile: Array
    tags: Tags
    face: Print
    platform: Print | None
    platform_reach: float
    varnish: float

    def draw(self, first: View, pose: Pose) -> Ground:
        """The ground for a board in this pose, its platform left out."""
        view = moved(first, self.size_mm, pose)
        whole = self._table(first, pose)
        self._lay(whole, view)
        picture = cv2.resize(whole, first.size, interpolation=cv2.INTER_AREA)
        light, shares = self._light(first)
        picture *= light
        if view.bend != Bend():
            picture *= self._slopes(first, view, pose)
        picture += self._glare(view, light)
        ground = Ground(view, picture, light, shares)
        if self.platform is not None:
            ground.platform_box = box = self._platform_box(view)
            ground.platform_map = ground_map(view, self.conditions.platform_thickness, box, fine=FINE)
        return ground

    def _table(self, first: View, pose: Pose) -> Array:
        """The cloth, the tags on it, and the shadow at the board's edge."""
        low = -self.conditions.thickness
        at = ground_map(flat(first), low, fine=FINE)
        at *= TILE_SCALE
        at += 8 * self.tile.shape[0]
        np.remainder(at, self.tile.shape[0], out=at)
        seamless = np.pad(self.tile, ((0, 1), (0, 1), (0, 0)), mode="wrap")
        whole: Array = LINEAR[cv2.remap(seamless, at[..., 0], at[..., 1], cv2.INTER_LINEAR)]
        board_view = flat(moved(first, self.size_mm, pose))
        paint(whole, self.tags.page, board_view if pose.with_tags else flat(first), low)
        box = box_round(board_view, _outline(self.size_mm, 12.0))
        whole[finely(box)] *= 1 - 0.55 * self._edge_shadow(ground_map(board_view, low, box, fine=FINE))[..., None]
        return whole

    def _edge_shadow(self, at: Array) -> Array:
        """How dark the table is beside the board: a soft step of a few millimetres, away from the lamps."""
        width, height = self.size_mm
        strongest = max(self.conditions.lamps, key=lambda lamp: lamp.strength, default=None)
        away = np.zeros(2) if strongest is None else -np.array(strongest.at) / strongest.height * self.conditions.thickness
        x, y = at[..., 0] - np.float32(away[0]), at[..., 1] - np.float32(away[1])
        outside = cv2.magnitude(np.maximum(np.maximum(-x, x - width), 0), np.maximum(np.maximum(-y, y - height), 0))
        return np.asarray(cv2.exp(outside / -2.2))

    def _lay(self, whole: Array, view: View) -> None:
        """The board's edge, then its face."""
        for height in (-self.conditions.thickness, -self.conditions.thickness / 2):
            paint(whole, self.face, view, height, CARDBOARD)
        paint(whole, self.face, view, 0.0)

    def _light(self, first: View) -> tuple[Array, tuple[Array, ...]]:
        width, height = first.size
        at = ground_map(flat(first), 0.0, step=COARSE, fine=1)[::COARSE, ::COARSE]
        points = np.concatenate([at, np.zeros_like(at[..., :1])], -1)
        total = self.light.on(points)
        y, x = np.mgrid[0 : at.shape[0], 0 : at.shape[1]]
        off = np.hypot(x / at.shape[1] - 0.5, y / at.shape[0] - 0.5) / 0.7071
        darker = (1 - self.conditions.vignette * off**2)[..., None]
        shade = self.light.player(points)[..., None]
        shares = tuple(
            cv2.resize(
                (self.light.from_lamp(lamp, points)[..., None] * self.light.tint(lamp) * shade / total).astype(np.float32),
                (width // 2, height // 2),
            )
            for lamp in self.conditions.lamps
        )
        return cv2.resize((total * darker).astype(np.float32), (width, height)), shares

    def _slopes(self, first: View, view: View, pose: Pose) -> Array:
        """How much brighter or darker bent cardboard is than flat: it turns to the lamps or away."""
        at = ground_map(view, 0.0, step=COARSE, fine=1)[::4, ::4].astype(float)
        rise = [(view.bend.height(at + step) - view.bend.height(at - step)) / 4 for step in np.array([[2.0, 0], [0, 2.0]])]
        a = radians(pose.degrees)
        x, y = rise[0] * cos(a) - rise[1] * sin(a), rise[0] * sin(a) + rise[1] * cos(a)
        normals = np.stack([-x, -y, np.ones_like(x)], -1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        points = np.concatenate([on_table(at, self.size_mm, pose), np.zeros_like(at[..., :1])], -1)
        change = (self.light.on(points, normals) / self.light.on(points) - 1).astype(np.float32)
        inside = sample(self.face, ground_map(view, 0.0, step=COARSE, fine=1))[..., 3:].astype(np.float32) / 255
        return 1 + cv2.resize(change, first.size) * inside

    def _glare(self, view: View, light: Array) -> Array:
        if self.conditions.glare is None:
            return np.float32(0) * light[:1, :1]
        at = ground_map(view, 0.0, step=COARSE, fine=1)
        inside = sample(self.face, at)[..., 3:].astype(np.float32) / 255
        return np.asarray(mirrored(self.conditions.glare, self.size_mm, at)[..., None] * inside * light, np.float32)

    def _platform_box(self, view: View) -> Box:
        angle, reach = np.linspace(0, 2 * np.pi, 60), self.platform_reach + 4
        edge = np.array(self.size_mm) / 2 + reach * np.stack([np.cos(angle), np.sin(angle)], -1)
        return box_round(view, np.concatenate([edge, np.full((60, 1), self.conditions.platform_thickness)], -1))

    def turn_platform(self, ground: Ground, degrees: float, picture: Array) -> None:
        """Draw the platform, turned clockwise, into a picture of this ground."""
        if self.platform is None or ground.platform_box is None or ground.platform_map is None:
            return
        box, middle = ground.platform_box, np.array(self.size_mm, np.float32) / 2
        offset = ground.platform_map - middle
        away = np.hypot(offset[..., 0], offset[..., 1])
        a = radians(degrees)
        back = np.array([[cos(a), -sin(a)], [sin(a), cos(a)]], np.float32)  # row vectors: turns them counter-clockwise
        seen = sample(self.platform, offset @ back + middle)
        wide, high = box[1].stop - box[1].start, box[0].stop - box[0].start
        rim = 1 - 0.35 * np.exp(-np.maximum(away - self.platform_reach, 0) / 2.0)  # its shadow on the board
        picture[box] *= cv2.resize(rim.astype(np.float32), (wide, high), interpolation=cv2.INTER_AREA)[..., None]
        cover = seen[..., 3].astype(np.float32) / 255
        colours = LINEAR[seen[..., :3]] * cover[..., None]
        cover_small = cv2.resize(cover, (wide, high), interpolation=cv2.INTER_AREA)[..., None]
        small = cv2.resize(colours, (wide, high), interpolation=cv2.INTER_AREA)
        glare = self._platform_glare(ground, box)
        picture[box] = picture[box] * (1 - cover_small) + small * ground.light[box] + glare * cover_small

    def _platform_glare(self, ground: Ground, box: Box) -> Array:
        if self.conditions.glare is None:
            return np.zeros((1, 1, 1), np.float32)
        assert ground.platform_map is not None
        shine = mirrored(self.conditions.glare, self.size_mm, ground.platform_map[::FINE, ::FINE])[..., None]
        return np.asarray(shine * ground.light[box], np.float32)


def sample(page: Print, millimetres: Array) -> Array:
    """The printed sheet at these places: blue, green, red and cover, 0 to 255."""
    at = page.pixels(millimetres)
    return cv2.remap(page.sheet, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0, 0, 0))


def finely(box: Box) -> Box:
    """The same part of a picture that is FINE times as fine."""
    rows, columns = box
    return slice(rows.start * FINE, rows.stop * FINE), slice(columns.start * FINE, columns.stop * FINE)


def paint(whole: Array, page: Print, view: View, height: float, colour: Array | None = None) -> None:
    """A printed sheet that lies at this height, into a fine picture; all in one colour, if one is given."""
    left, top = page.origin
    rows, columns = page.sheet.shape[:2]
    corners = np.array([left, top]) + _outline((columns / SCALE, rows / SCALE), 0.0)
    box = box_round(view, np.concatenate([corners, np.full((len(corners), 1), height)], -1))
    seen = sample(page, ground_map(view, height, box, fine=FINE))
    below = whole[finely(box)]
    for strip in strips(len(seen)):
        part = seen[strip]
        over(below[strip], LINEAR[part[..., :3]] if colour is None else colour, part[..., 3].astype(np.float32) / 255)


def _outline(size_mm: tuple[float, float], more: float) -> Array:
    """Points all along the edge of a rectangle, so that bent and distorted edges are met too."""
    t = np.linspace(0, 1, 17)
    x, y = -more + t * (size_mm[0] + 2 * more), -more + t * (size_mm[1] + 2 * more)
    ends = [np.stack([x, np.full(17, edge)], -1) for edge in (y[0], y[-1])]
    return np.concatenate([*ends, *(np.stack([np.full(17, edge), y], -1) for edge in (x[0], x[-1]))])


def over(below: Array, colours: Array, cover: Array) -> None:
    """Paint over, where the cover says so."""
    three = cv2.merge([cover, cover, cover])
    below *= 1 - three
    three *= colours
    below += three
