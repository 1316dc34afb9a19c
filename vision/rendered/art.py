"""The printed board: its outlines and art colours as ink on old cardboard, with lines, lettering, a border and print grain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from math import atan2, degrees, sqrt

import cv2
import numpy as np

from companion.board import Board, Space
from companion.draw import space_fill
from vision.rendered.chance import chance
from vision.rendered.style import Colour, Style, printed, toned
from vision.view import Array

STRIP = 128  # rows
SCALE = 4  # pixels per millimetre of the printed art
MARGIN = 2  # millimetres of nothing round it, so that its edge can be drawn softly
_SHIFT = 4  # cv2 draws in sixteenths of a pixel


@dataclass(frozen=True)
class Print:
    """A printed sheet with its transparency: (rows, columns, 4). Millimetre (x, y) lies at pixel `pixels((x, y))`."""

    sheet: Array
    origin: tuple[float, float]  # the millimetres at the sheet's top left

    def pixels(self, millimetres: Array) -> Array:
        """Pixel coordinates, pixel middles at whole numbers."""
        return np.asarray((millimetres - np.array(self.origin)) * SCALE - 0.5, np.float32)


def strips(rows: int) -> list[slice]:
    """A large picture strip by strip: what needs several copies of it needs them of a strip only."""
    return [slice(top, top + STRIP) for top in range(0, rows, STRIP)]


def blank(left: float, top: float, right: float, bottom: float) -> Print:
    return Print(np.zeros((round((bottom - top) * SCALE), round((right - left) * SCALE), 4), np.uint8), (left, top))


def fill(page: Print, outline: Array, colour: Colour, alpha: int = 255) -> None:
    points = np.round(page.pixels(np.asarray(outline, float)) * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(page.sheet, [points], (*colour, alpha), cv2.LINE_AA, _SHIFT)


def line(page: Print, outline: Array, colour: Colour, width: float, closed: bool = True) -> None:
    points = np.round(page.pixels(np.asarray(outline, float)) * (1 << _SHIFT)).astype(np.int32)
    cv2.polylines(page.sheet, [points], closed, (*colour, 255), max(1, round(width * SCALE)), cv2.LINE_AA, _SHIFT)


def ring(x: float, y: float, radius: float, corners: int = 48, ratio: float = 1.0) -> Array:
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    return np.stack([x + radius * np.cos(angle), y + ratio * radius * np.sin(angle)], -1)


def write(page: Print, text: str, at: tuple[float, float], height: float, turn: float, look: Style, colour: Colour) -> None:
    """Letters of this height in millimetres, centred, turned clockwise."""
    big = 1.6
    (wide, high), base = cv2.getTextSize(text, look.face, big, 3)
    tile = np.zeros((high + base + 16, wide + 16), np.uint8)
    cv2.putText(tile, text, (8, high + 8), look.face, big, 255, 4, cv2.LINE_AA)
    scale = height * SCALE / high
    (x, y) = page.pixels(np.array(at))
    matrix = cv2.getRotationMatrix2D((tile.shape[1] / 2, 8 + high / 2), -turn, scale)
    reach = int(np.hypot(*tile.shape) * scale / 2) + 3
    left, top = int(x) - reach, int(y) - reach
    matrix[:, 2] += np.array([x - left - tile.shape[1] / 2, y - top - 8 - high / 2])
    small = cv2.GaussianBlur(tile, (0, 0), 0.45 / scale) if scale < 0.8 else tile
    stamp = cv2.warpAffine(small, matrix, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)
    rows, columns = page.sheet.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + 2 * reach, columns), min(top + 2 * reach, rows)
    if x0 >= x1 or y0 >= y1:
        return
    cover = stamp[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255 * 0.9
    target = page.sheet[y0:y1, x0:x1, :3]
    target[:] = np.round(target * (1 - cover) + np.array(colour) * cover)


def text_width(text: str, height: float, look: Style) -> float:
    (wide, high), _ = cv2.getTextSize(text, look.face, 1.6, 3)
    return wide / high * height


def against(colour: Colour, look: Style) -> Colour:
    """The look's ink, or paper where the ink would not be read on this colour."""
    bright = 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]
    return look.ink if bright > 105 else look.paper


@lru_cache(4)
def board_print(board: Board, look: Style, seed: int) -> Print:
    """The board's face without what turns on it."""
    width, height = board.size_mm
    page = blank(-MARGIN, -MARGIN, width + MARGIN, height + MARGIN)
    fill(page, np.array([[-MARGIN, -MARGIN], [width + MARGIN, -MARGIN], [width + MARGIN, height + MARGIN], [-MARGIN, height + MARGIN]]), look.ground)
    if look.rays:
        _rays(page, board, look)
    _border(page, board, look)
    for space in board.spaces.values():
        if "platform" not in space.kinds:
            _space(page, board, space, look)
    _titles(page, board, look)
    _age(page, board, look, seed)
    x, y = _places(page)
    _cut(page, np.minimum(x, width - x), np.minimum(y, height - y))
    return page


@lru_cache(2)
def platform_print(board: Board, look: Style, seed: int) -> Print | None:
    """The turning platform as drawn in the board file, or None."""
    turning = board.of_kind("platform")
    if not turning:
        return None
    cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
    reach = platform_radius(board)
    page = blank(cx - reach - MARGIN, cy - reach - MARGIN, cx + reach + MARGIN, cy + reach + MARGIN)
    fill(page, ring(cx, cy, reach + 1, 180), look.ground)
    inner = min(sqrt((x - cx) ** 2 + (y - cy) ** 2) for space in turning for x, y in space.outline)
    fill(page, ring(cx, cy, inner - 3, 120), look.second)
    if look.rays:
        for turn in range(0, 360, 30):
            wedge = ring(cx, cy, inner - 4, 360)[turn : turn + 15]
            fill(page, np.concatenate([[[cx, cy]], wedge]), toned(look.second, 0.8, 40))
    fill(page, ring(cx, cy, inner * 0.5, 90), look.paper)
    line(page, ring(cx, cy, inner * 0.5, 90), look.ink, look.line)
    word = board.title.split(",")[0].upper()
    if word:
        write(page, word, (cx, cy), min(inner * 0.13, 0.85 * inner / text_width(word, 1.0, look)), 0, look, look.ink)
    for space in turning:
        _space(page, board, space, look)
    _age(page, board, look, seed + 1)
    x, y = _places(page)
    _cut(page, reach - np.hypot(x - cx, y - cy))
    return page


def platform_radius(board: Board) -> float:
    cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
    return max((sqrt((x - cx) ** 2 + (y - cy) ** 2) for s in board.of_kind("platform") for x, y in s.outline), default=0.0)


def _cut(page: Print, *away: Array) -> None:
    """What lies outside is not there: `away` tells for each pixel, column or row how many millimetres it lies inside an edge."""
    page.sheet[..., 3] = reduce(np.minimum, (np.round(255 * np.clip(inside * SCALE + 0.5, 0, 1)).astype(np.uint8) for inside in away))


def _places(page: Print) -> tuple[Array, Array]:
    """The millimetres of each column and each row of pixels."""
    rows, columns = page.sheet.shape[:2]
    return (np.arange(columns) + 0.5) / SCALE + page.origin[0], ((np.arange(rows) + 0.5) / SCALE + page.origin[1])[:, None]


def _space(page: Print, board: Board, space: Space, look: Style) -> None:
    colour = printed(space_fill(board, space), look)
    outline = np.array(space.outline)
    middle = np.array(space.centre)
    room = sqrt(space.area)
    fill(page, outline, colour)
    if look.fill == "vignette":
        fill(page, middle + (outline - middle) * 0.8, toned(colour, 1.07, 4))
    elif look.fill == "hatch":
        _hatch(page, outline, toned(colour, 0.93))
    elif look.fill == "waves" and "blue" in (*space.kinds, space.facts.get("colour")):
        _waves(page, outline, toned(colour, 1.12))
    line(page, outline, toned(colour, 0.8) if look.outline == "soft" else look.ink, look.line)
    if look.outline == "double":
        line(page, middle + (outline - middle) * (1 - 3.2 / room), look.ink, look.line * 0.4)
    _symbol(page, board, space, look, colour)
    if look.names:
        _name(page, board, space, look, colour)


def _hatch(page: Print, outline: Array, colour: Colour) -> None:
    mask = np.zeros(page.sheet.shape[:2], np.uint8)
    points = np.round(page.pixels(outline)).astype(np.int32)
    cv2.fillPoly(mask, [points], 255)
    x, y, w, h = cv2.boundingRect(points)
    part = page.sheet[y : y + h, x : x + w]
    rows, columns = np.mgrid[y : y + h, x : x + w]
    lines = ((rows + columns) % 14 < 4) & (mask[y : y + h, x : x + w] > 0)
    part[..., :3][lines] = np.round(colour)


def _waves(page: Print, outline: Array, colour: Colour) -> None:
    low, high = outline.min(0), outline.max(0)
    middle = outline.mean(0)
    for y in np.arange(low[1] + 5, high[1] - 3, 6):
        x = np.arange(max(low[0], middle[0] - 9), min(high[0], middle[0] + 9), 0.5)
        line(page, np.stack([x, y + np.sin(x * 0.8)], -1), colour, 0.4, closed=False)


def _symbol(page: Print, board: Board, space: Space, look: Style, colour: Colour) -> None:
    """A printed mark for kinds that matter in play."""
    (x, y), room = space.centre, sqrt(space.area)
    ink = against(colour, look)
    kinds = space.kinds
    if "circle" in kinds or "safe" in kinds:
        fill(page, ring(x, y, room * 0.27), look.paper)
        line(page, ring(x, y, room * 0.27), ink, look.line * 0.7)
    elif "noble" in kinds:
        line(page, ring(x, y, room * 0.3), ink, look.line)
        line(page, ring(x, y, room * 0.12), ink, look.line)
    elif "throne" in kinds or "crown" in kinds or "insignia" in kinds:
        _crown(page, x, y, room * 0.3, look.paper if ink == look.ink else ink, ink)
    elif "dot" in kinds or ("start" in kinds and "owner" not in space.facts):
        fill(page, ring(x, y, room * 0.1), ink)
    elif "arrow" in kinds:
        cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
        out = np.array([x - cx, y - cy]) / max(np.hypot(x - cx, y - cy), 1e-6)
        side = np.array([-out[1], out[0]])
        shape = [(0.42, 0), (0.05, 0.3), (0.05, 0.12), (-0.4, 0.12), (-0.4, -0.12), (0.05, -0.12), (0.05, -0.3)]
        fill(page, np.array([np.array([x, y]) + room * (a * out + b * side) for a, b in shape]), look.second)
    elif "neutral" in kinds:
        _hatch(page, np.array(space.outline), ink)
    elif "berlin" in kinds or "home" in kinds:
        _star(page, x, y, room * 0.36, look.second)
        line(page, ring(x, y, room * 0.42, 90), ink, look.line)


def _crown(page: Print, x: float, y: float, size: float, colour: Colour, ink: Colour) -> None:
    points = [(-1, 0.7), (-1, -0.4), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1, -0.4), (1, 0.7)]
    shape = np.array([[x + size * a, y + size * b] for a, b in points])
    fill(page, shape, colour)
    line(page, shape, ink, 0.5)


def _star(page: Print, x: float, y: float, size: float, colour: Colour) -> None:
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.42, 1.0) * size
    fill(page, np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], -1), colour)


def _name(page: Print, board: Board, space: Space, look: Style, colour: Colour) -> None:
    cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
    (x, y), room = space.centre, sqrt(space.area)
    ring_space = "base" in space.kinds or "platform" in space.kinds
    if "platform" in space.kinds:
        return
    outline = np.array(space.outline)
    text = _lettering(space, look)
    if not text:
        return
    turn = degrees(atan2(y - cy, x - cx)) + 90 if ring_space else 0.0
    if ring_space:
        reach = np.linalg.norm(outline - [cx, cy], axis=1)
        out = np.array([x - cx, y - cy]) / np.hypot(x - cx, y - cy)
        x, y = np.array([cx, cy]) + out * (reach.max() - 5.5)
    elif len(outline) == 4 and room > 18:
        edges = np.roll(outline, -1, 0) - outline
        longest = edges[int(np.argmax(np.linalg.norm(edges, axis=1)))]
        turn = (degrees(atan2(longest[1], longest[0])) + 90) % 180 - 90
        down = np.array([-np.sin(np.radians(turn)), np.cos(np.radians(turn))])
        x, y = np.array([x, y]) + down * room * 0.33
    tall = min(3.4, room * 0.16, 0.8 * room / max(text_width(text, 1.0, look), 0.5))
    write(page, text, (float(x), float(y)), tall, turn, look, against(colour, look))


def _lettering(space: Space, look: Style) -> str:
    """What a printer would set into a space: its spoken name; ids only on boards that print them."""
    if "go" in space.links:
        return f"GO {space.links['go'].upper()}"
    if space.name != space.id:
        return space.name if len(space.name) <= 24 else ""
    return space.id if look.ids and len(space.id) <= 4 else ""


def _rays(page: Print, board: Board, look: Style) -> None:
    cx, cy = board.size_mm[0] / 2, board.size_mm[1] / 2
    far = board.size_mm[0] + board.size_mm[1]
    shade = tuple(0.88 * g + 0.12 * s for g, s in zip(look.ground, look.second, strict=True))
    for turn in np.arange(0, 360, 15):
        a, b = np.radians(turn), np.radians(turn + 7.5)
        wedge = [[cx, cy], [cx + far * np.cos(a), cy + far * np.sin(a)], [cx + far * np.cos(b), cy + far * np.sin(b)]]
        fill(page, np.clip(np.array(wedge), -far, 2 * far), (shade[0], shade[1], shade[2]))


def _border(page: Print, board: Board, look: Style) -> None:
    width, height = board.size_mm

    def frame(inset: float) -> Array:
        return np.array([[inset, inset], [width - inset, inset], [width - inset, height - inset], [inset, height - inset]])

    if look.border == "none":
        return
    line(page, frame(3.5), look.second, 1.2)
    if look.border == "double":
        line(page, frame(6.0), look.second, 0.6)
    elif look.border == "chequer":
        for x in np.arange(5, width - 5, 6.0):
            for y in (5.0, height - 8.0):
                fill(page, np.array([[x, y], [x + 3, y], [x + 3, y + 3], [x, y + 3]]), look.second)
    elif look.border == "chain":
        for x in np.arange(8, width - 6, 9.0):
            for y in (7.0, height - 7.0):
                line(page, ring(x, y, 2.2, 20), look.second, 0.5)
    elif look.border == "corners":
        for x in (10.0, width - 10):
            for y in (10.0, height - 10):
                line(page, ring(x, y, 5, 30), look.second, 0.8)


def _titles(page: Print, board: Board, look: Style) -> None:
    """The game's name, once for each long side of the table, as large as the spaces leave room for it."""
    width, height = board.size_mm
    free: Array = np.zeros((int(height), int(width)), np.uint8)
    free[9:-9, 9:-9] = 1
    taken = [np.round(np.array(space.outline)).astype(np.int32) for space in board.spaces.values()]
    cv2.fillPoly(free, taken, 0)
    if reach := platform_radius(board):
        cv2.circle(free, (int(width / 2), int(height / 2)), int(reach), 0, -1)
    free = cv2.erode(free, np.ones((5, 5), np.uint8))
    word = board.title.split(",")[0].upper()
    for turn, near in ((0.0, (width / 2, height)), (180.0, (width / 2, 0.0))) if word else ():
        for tall in (20.0, 16.0, 13.0, 10.0, 8.0, 6.0, 4.5, 3.5):
            if spot := _room(free, text_width(word, tall, look) + 8, tall * 1.3, near):
                write(page, word, spot, tall, turn, look, against(look.ground, look))
                cv2.circle(free, (int(spot[0]), int(spot[1])), int(tall), 0, -1)
                break


def _room(free: Array, wide: float, high: float, near: tuple[float, float]) -> tuple[float, float] | None:
    """The free place for a box of this size that is nearest to a point."""
    if wide >= free.shape[1] or high >= free.shape[0]:
        return None
    enough = cv2.erode(free, np.ones((int(high) | 1, int(wide) | 1), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    y, x = np.nonzero(enough)
    if not len(x):
        return None
    best = int(np.argmin((x - near[0]) ** 2 + (y - near[1]) ** 2))
    return float(x[best]), float(y[best])


def _age(page: Print, board: Board, look: Style, seed: int) -> None:
    """Paper grain, screen dots, stains and the worn line of a fold."""
    dice = chance(seed, "print")
    rows, columns = page.sheet.shape[:2]
    fine = cv2.GaussianBlur(dice.standard_normal((rows, columns), np.float32), (0, 0), 1.3) * 2.6
    broad = cv2.resize(dice.standard_normal((rows // 40 + 2, columns // 40 + 2), np.float32), (columns, rows), interpolation=cv2.INTER_CUBIC)
    tone = 1 + look.grain * fine + 0.5 * look.grain * broad
    if look.halftone:
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
        tone += 0.4 * look.halftone * np.sin((x + y) * 0.9) * np.sin((x - y) * 0.9)
    (left, top), (width, height) = page.origin, board.size_mm
    for place in {"none": (), "half": ("x",), "quarters": ("x", "y")}[look.fold]:
        coordinate = (np.arange(columns) / SCALE + left - width / 2) if place == "x" else (np.arange(rows) / SCALE + top - height / 2)
        worn = -0.16 * np.exp(-((coordinate / 0.45) ** 2)) + 0.06 * np.exp(-(((coordinate - 1.2) / 0.6) ** 2))
        tone += worn[None, :] if place == "x" else worn[:, None]
    for _ in range(look.stains):
        x, y, reach = dice.uniform(0, columns), dice.uniform(0, rows), dice.uniform(20, 110)
        blot = np.zeros((rows, columns), np.float32)
        cv2.ellipse(blot, (int(x), int(y)), (int(reach), int(reach * dice.uniform(0.5, 1))), 0, 0, 360, 1.0, -1)
        tone -= float(dice.uniform(0.02, 0.06)) * cv2.GaussianBlur(blot, (0, 0), 12)
    for strip in strips(rows):
        colours = page.sheet[strip, :, :3].astype(np.float32) * tone[strip, :, None]
        page.sheet[strip, :, :3] = np.clip(np.round(colours), 0, 255).astype(np.uint8)
