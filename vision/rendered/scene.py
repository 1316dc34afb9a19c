"""The rendered table: any board and layout as an overhead camera would see it. Synthetic, and labelled so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin

import cv2
import numpy as np

from companion.board import Board, Space
from companion.layout import Layout, Standing
from vision.rendered import shadows
from vision.rendered.art import board_print, platform_print, platform_radius
from vision.rendered.bodies import Body, usual_bodies
from vision.rendered.camera import camera, eye, flat, moved
from vision.rendered.cloth import cloth, tags_round
from vision.rendered.conditions import Conditions, Pose
from vision.rendered.covers import Cover, draw_cover, silhouettes
from vision.rendered.develop import Sensor
from vision.rendered.ground import Bench, Ground
from vision.rendered.light import Light
from vision.rendered.placing import FLAT, lie_about, place_all
from vision.rendered.sprites import Placed, Sprite, Stand, draw_body
from vision.rendered.style import style
from vision.view import Array, View

Point = tuple[float, float]
_KEPT_SPRITES = 600
_KEPT_COVERS = 4


@dataclass(frozen=True)
class PieceTruth:
    """One piece as it really stands: the middle of its foot in millimetres of the board as it lies, and in pixels."""

    standing: Standing
    at: Point
    px: Point
    top_px: Point
    height: float  # of its foot above the board's face
    radius: float  # of its foot


@dataclass(frozen=True)
class Truth:
    """What is really there. For scoring and tests, never an input of the eye."""

    view: View  # of the board as it lies
    pose: Pose
    corners: Array  # of the board in pixels: top left, top right, bottom right, bottom left
    degrees: float | None  # by which a platform stands off its place in the board file, clockwise
    pieces: tuple[PieceTruth, ...]
    covered: Mapping[str, float]  # how much of each space hands and mugs hide, 0 to 1
    tags: Mapping[int, Array]  # corners in millimetres of the board as it lay first; `tag_height` below its face
    tags_px: Mapping[int, Array]
    tags_hidden: tuple[int, ...]
    tag_height: float


@dataclass(frozen=True)
class Picture:
    frame: Array  # blue, green, red, 8 bits
    truth: Truth


class Scene:
    """One table under one camera. The same arguments give the same pictures."""

    def __init__(
        self, board: Board, conditions: Conditions | None = None, seed: int = 0, piece_bodies: Mapping[str, Body] | None = None
    ) -> None:
        self.board, self.seed = board, seed
        self.conditions = conditions = conditions or Conditions()
        self.bodies = usual_bodies(seed) | dict(piece_bodies or {})
        self.view = camera(board.size_mm, conditions)
        self.light = Light(board.size_mm, conditions)
        look = style(seed, conditions.art)
        self._tags = tags_round(board.size_mm, conditions.tags, conditions.hidden_tags, seed, conditions.tag_style)
        self._bench = Bench(
            board.size_mm, conditions, self.light, cloth(seed, conditions.cloth), self._tags,
            board_print(board, look, seed), platform_print(board, look, seed), platform_radius(board), look.varnish,
        )  # fmt: skip
        self._sensor = Sensor(conditions, self.view.size, seed)
        self._grounds: dict[Pose, Ground] = {}
        self._turned: tuple[Pose, float, Array] | None = None
        self._sprites: dict[tuple[Placed, Pose], Sprite] = {}
        self._last: tuple[object, Array] | None = None
        self._covers: dict[tuple[Cover, Pose], list[Sprite]] = {}
        self._points = _points_in_all(board)

    def draw(
        self,
        layout: Layout,
        covers: Iterable[Cover] = (),
        step_seed: int = 0,
        *,
        pose: Pose | None = None,
        platform: float | None = None,
        at: Mapping[int, Point] | None = None,
    ) -> Picture:
        """What the camera sees of this layout.

        `step_seed` names the frame: its noise and flicker. `pose` is where a bump left the board. `platform` overrides the
        layout's number and may lie between two. `at` puts pieces, by their index in the layout, at given millimetres.
        """
        pose = pose or self.conditions.pose
        ground = self._ground(pose)
        degrees = self._degrees(layout, platform)
        stand = Stand(self.light, eye(self.view), pose)
        placed = self._placed(layout, degrees, at or {})
        light = self._settled(ground, degrees, placed, stand).copy()
        hidden = self._cover(light, ground, tuple(covers), stand)
        frame = self._sensor.develop(light, self.seed, step_seed)
        return Picture(frame, self._truth(layout, ground, pose, degrees, placed, hidden))

    def _ground(self, pose: Pose) -> Ground:
        if pose not in self._grounds:
            while len(self._grounds) > 2:
                self._grounds.pop(next(iter(self._grounds)))
            self._grounds[pose] = self._bench.draw(self.view, pose)
            self._litter(self._grounds[pose])
        return self._grounds[pose]

    def _litter(self, ground: Ground) -> None:
        """What lies about on the table beside the board stays there, whatever the board does."""
        things = lie_about(self.board.size_mm, self.conditions.clutter, -self.conditions.thickness, self.seed)
        view, stand = flat(self.view), Stand(self.light, eye(self.view), Pose())
        board = ground.view.pixels(_corners(self.board))
        clear = [thing for thing in things if cv2.pointPolygonTest(board, _seen(thing, view), True) < -12]
        self._throw(ground.picture, replace(ground, view=view), clear, stand)
        for thing in clear:
            draw_body(thing, view, stand).onto(ground.picture)

    def _still(self, ground: Ground, pose: Pose, degrees: float | None) -> Array:
        """The ground with its platform, as long as nothing turns."""
        if degrees is None:
            return ground.picture
        if self._turned is None or self._turned[:2] != (pose, degrees):
            picture = ground.picture.copy()
            self._bench.turn_platform(ground, degrees, picture)
            self._turned = (pose, degrees, picture)
        return self._turned[2]

    def _settled(self, ground: Ground, degrees: float | None, placed: list[Placed], stand: Stand) -> Array:
        """The board with all its pieces, kept as long as none of them moves."""
        key = (stand.pose, degrees, tuple(placed))
        if self._last is None or self._last[0] != key:
            light = self._still(ground, stand.pose, degrees).copy()
            self._throw(light, ground, placed, stand)
            for piece in sorted(placed, key=lambda p: _hides(p, ground.view)):
                self._sprite(piece, ground, stand).onto(light)
            self._last = (key, light)
        return self._last[1]

    def _degrees(self, layout: Layout, platform: float | None) -> float | None:
        numbers = [space.number("number") for space in self.board.of_kind("base") if "number" in space.facts]
        if not self.board.of_kind("platform"):
            return None
        number = platform if platform is not None else layout.platform or 0
        return 360.0 * number / max(numbers, default=1) % 360

    def _placed(self, layout: Layout, degrees: float | None, at: Mapping[int, Point]) -> list[Placed]:
        placed = place_all(self.board, layout, self.bodies, self.seed, self.conditions.mess)
        for i, standing in enumerate(layout.standing):
            if i in at:
                placed[i] = replace(placed[i], at=at[i])
            elif degrees and "platform" in self.board.spaces[standing.space].kinds:
                placed[i] = _carried(placed[i], degrees, self.board.size_mm)
            if degrees is not None and "platform" in self.board.spaces[standing.space].kinds:
                placed[i] = replace(placed[i], height=placed[i].height + self.conditions.platform_thickness)
        return placed

    def _sprite(self, piece: Placed, ground: Ground, stand: Stand) -> Sprite:
        key = (piece, stand.pose)
        if key not in self._sprites:
            while len(self._sprites) >= _KEPT_SPRITES:
                self._sprites.pop(next(iter(self._sprites)))
            self._sprites[key] = draw_body(piece, ground.view, stand)
        return self._sprites[key]

    def _drawn(self, cover: Cover, ground: Ground, stand: Stand) -> list[Sprite]:
        """The cover's sprites; those of the last frame are kept, since mugs and resting hands stay."""
        key = (cover, stand.pose)
        if key not in self._covers:
            while len(self._covers) >= _KEPT_COVERS:
                self._covers.pop(next(iter(self._covers)))
            self._covers[key] = draw_cover(cover, ground.view, stand)
        return self._covers[key]

    def _throw(self, light: Array, ground: Ground, placed: list[Placed], stand: Stand) -> None:
        """Shadows of all pieces."""
        if not placed:
            return
        size, scale = ground.view.size, ground.view.scale(np.array(self.board.size_mm) / 2)
        near = shadows.mask([shadows.contact(piece, ground.view) for piece in placed], size, 1.0 * scale)
        kept = 1 - 0.35 * np.repeat(near[..., None], 3, 2)
        for lamp, share in zip(self.conditions.lamps, ground.shares, strict=True):
            lamp_at = shadows.lamp_on_board(lamp, stand)
            for tall in (False, True):
                some = [piece for piece in placed if (piece.body.height > FLAT) == tall]
                high = max((piece.body.height + piece.height for piece in some), default=0.0)
                soft = scale * lamp.width * 0.5 * high / max(lamp.height - high, 1.0) / 2
                outlines = [shadows.body_shadow(piece, lamp_at, ground.view) for piece in some]
                if outlines:
                    kept *= 1 - shadows.mask(outlines, size, soft)[..., None] * share
        light *= cv2.resize(kept, size)

    def _cover(self, light: Array, ground: Ground, covers: tuple[Cover, ...], stand: Stand) -> Array | None:
        """Draw hands and mugs with their shadows; tells which pixels they hide."""
        if not covers:
            return None
        size, scale = ground.view.size, ground.view.scale(np.array(self.board.size_mm) / 2)
        tubes = [limb for cover in covers for limb in silhouettes(cover)]
        kept = np.ones((size[1] // 2, size[0] // 2, 3), np.float32)
        for lamp, share in zip(self.conditions.lamps, ground.shares, strict=True):
            lamp_at = shadows.lamp_on_board(lamp, stand)
            high = float(np.median([max(limb.start[2], limb.end[2]) for limb in tubes]))
            soft = scale * lamp.width * 0.5 * high / max(lamp.height - high, 1.0) / 2
            kept *= 1 - shadows.mask([shadows.limb_shadow(limb, lamp_at, ground.view) for limb in tubes], size, soft)[..., None] * share
        light *= cv2.resize(kept, size)
        hidden = np.zeros(light.shape[:2], np.float32)
        for cover in covers:
            for sprite in self._drawn(cover, ground, stand):
                sprite.onto(light)
                Sprite(sprite.left, sprite.top, sprite.cover[..., None], sprite.cover).onto(hidden[..., None])
        return hidden

    def _truth(
        self, layout: Layout, ground: Ground, pose: Pose, degrees: float | None, placed: list[Placed], hidden: Array | None
    ) -> Truth:
        view = ground.view
        tag_view = flat(moved(self.view, self.board.size_mm, pose)) if pose.with_tags else flat(self.view)
        low = -self.conditions.thickness
        tags_px = {tag: tag_view.pixels(np.concatenate([c, np.full((4, 1), low)], -1)) for tag, c in self._tags.corners.items()}
        return Truth(
            view=view,
            pose=pose,
            corners=view.pixels(_corners(self.board)),
            degrees=degrees,
            pieces=_piece_truths(layout.standing, placed, view),
            covered=self._covered(view, degrees, hidden),
            tags=self._tags.corners,
            tags_px=tags_px,
            tags_hidden=tuple(sorted(set(self.conditions.hidden_tags) & set(self._tags.corners))),
            tag_height=low,
        )

    def _covered(self, view: View, degrees: float | None, hidden: Array | None) -> dict[str, float]:
        if hidden is None:
            return dict.fromkeys(self.board.spaces, 0.0)
        turns = ["platform" in space.kinds for space in self.board.spaces.values()]
        points = [_spun(p, degrees or 0.0, self.board.size_mm) if t else p for p, t in zip(self._points, turns, strict=True)]
        px = np.round(view.pixels(np.concatenate(points))).astype(int)
        x, y = np.clip(px[:, 0], 0, hidden.shape[1] - 1), np.clip(px[:, 1], 0, hidden.shape[0] - 1)
        parts = np.split(hidden[y, x] > 0.5, np.cumsum([len(p) for p in points])[:-1])
        return {id: float(part.mean()) for id, part in zip(self.board.spaces, parts, strict=True)}


def _corners(board: Board) -> Array:
    width, height = board.size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]])


def _seen(thing: Placed, view: View) -> Point:
    x, y = view.pixels(np.array([*thing.at, thing.height]))
    return float(x), float(y)


@lru_cache(8)
def _points_in_all(board: Board) -> tuple[Array, ...]:
    return tuple(_points_in(space) for space in board.spaces.values())


def _points_in(space: Space) -> Array:
    """A grid of points inside a space."""
    outline = np.array(space.outline, np.float32)
    low, high = outline.min(0), outline.max(0)
    x, y = np.meshgrid(*(low[i] + (high[i] - low[i]) * (np.arange(12) + 0.5) / 12 for i in (0, 1)))
    points = np.stack([x.ravel(), y.ravel()], -1)
    inside = [cv2.pointPolygonTest(outline, (float(a), float(b)), False) >= 0 for a, b in points]
    return points[inside] if any(inside) else np.array([space.centre])


def _spun(points: Array, degrees: float, size_mm: Point) -> Array:
    a, middle = radians(degrees), np.array(size_mm) / 2
    return np.asarray((points - middle) @ np.array([[cos(a), sin(a)], [-sin(a), cos(a)]]) + middle)


def _carried(piece: Placed, degrees: float, size_mm: Point) -> Placed:
    """A rider, carried round with the platform."""
    x, y = _spun(np.array([piece.at]), degrees, size_mm)[0]
    lean = _spun(np.array([piece.lean]), degrees, (0.0, 0.0))[0]
    return replace(piece, at=(float(x), float(y)), turn=piece.turn + degrees, lean=(float(lean[0]), float(lean[1])))


def _hides(piece: Placed, view: View) -> tuple[bool, float, float]:
    """Who is drawn over whom: flat pieces in the order they lie on one another, then tall ones, the farthest first."""
    tall = piece.body.height > FLAT
    return tall, 0.0 if tall else piece.height, -float(np.linalg.norm(eye(view) - np.array([*piece.at, 0.0])))


def _piece_truths(standing: Iterable[Standing], placed: list[Placed], view: View) -> tuple[PieceTruth, ...]:
    if not placed:
        return ()
    feet = np.array([[*p.at, p.height] for p in placed])
    tops = feet + np.array([[p.lean[0] * p.body.height, p.lean[1] * p.body.height, p.body.height] for p in placed])
    low, high = view.pixels(feet).astype(float), view.pixels(tops).astype(float)
    return tuple(
        PieceTruth(s, p.at, (a[0], a[1]), (b[0], b[1]), p.height, p.body.foot)
        for s, p, a, b in zip(standing, placed, low.tolist(), high.tolist(), strict=True)
    )
