"""What can be seen of somebody's own board in a picture: its corners, laid flat; the lines of a grid; rings and their number; colours.

Everything here is a suggestion that the host corrects. A picture from which no board can be mapped is refused, with what to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.events import BadInput
from companion.mapping.picture import picture_size
from vision import mapping_snap as snap
from vision.first_sight import CUT_OFF, _quads, is_clockwise, shape_like_a_board
from vision.fitting import Picture, edge_strength
from vision.mapping_lines import grid_lines, ring_lines

Array = NDArray[Any]

KEPT = 2400  # pixels of the longer side of a picture that is kept
FLAT = 1400  # of the board laid flat
REFERENCE = 900  # and of the picture in a board file
CUT = "picture: the board is cut off; step back until all four corners and a little of the table are in view"
BLURRED = 0.11  # of the picture's own contrast: how steep its steepest edges are
GLARE = 0.04  # of the board that is burnt out
DARKER = 0.15  # what a step from light to dark counts against one from colour to colour
SAME_TABLE = 0.5  # of the difference between board and table
SMALL = 0.15  # of the picture that the board must fill


class Draughtsman:
    """Reads pictures of boards. Bytes in, bytes and plain numbers out: whoever asks needs no picture library."""

    def accept(self, data: bytes) -> tuple[bytes, list[list[float]], list[str]]:
        """A picture from outside: as it is kept, where its board seems to be (parts of the picture), and what to mind."""
        picture_size(data)
        frame = _decoded(data)
        scale = KEPT / max(frame.shape[:2])
        if scale < 1:
            frame = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if float(frame[::8, ::8].std()) < 6:
            raise BadInput("picture: it is black or blank; take the cover off the camera, switch on a lamp, and take it again")
        if sharpness(frame) < BLURRED:
            raise BadInput("picture: it is blurred; hold the camera still, or lean it on something, tap the board to focus, and take it again")
        corners = seen_corners(frame)
        if corners is None and shape_like_a_board(frame) == CUT_OFF:
            raise BadInput(CUT)
        if corners is None and straight_lines(frame) >= 4:
            return _coded(frame, 90), [], ["The corners could not be found by themselves: drag them. A plain table makes it easier."]
        if corners is None:
            raise BadInput("picture: no board is seen in it; lay the empty board on a plain table, take it from above with all four corners in view")
        height, width = frame.shape[:2]
        rim = 0.004 * max(width, height)
        if (corners < rim).any() or (corners[:, 0] > width - 1 - rim).any() or (corners[:, 1] > height - 1 - rim).any():
            raise BadInput(CUT)
        if not _lies_on_one_table(frame, corners):
            raise BadInput(CUT)
        burnt = _burnt(frame, corners)
        if burnt > GLARE:
            raise BadInput("picture: a lamp glares on the board; move the lamp or yourself until the shine is gone, and take it again")
        notes = []
        if cv2.contourArea(corners.astype(np.float32)) < SMALL * width * height:
            notes.append("The board is small in the picture: nearer is better.")
        return _coded(frame, 90), fractions(corners, frame), notes

    def snapped(self, jpeg: bytes, corners: Sequence[Sequence[float]]) -> list[list[float]]:
        """Corners that a thumb has put near those of the board, moved onto its edges."""
        frame = _decoded(jpeg)
        size = np.array([frame.shape[1], frame.shape[0]], float)
        given = np.asarray(corners, float) * size
        reach = 0.012 * float(size.max())
        near = on_edges(frame, given, reach)
        return fractions(near if np.abs(near - given).max() < 1.5 * reach else given, frame)

    def flat(self, jpeg: bytes, corners: Sequence[Sequence[float]], size_mm: tuple[float, float], longest: int = FLAT) -> bytes:
        """The board alone, seen from straight above."""
        frame = _decoded(jpeg)
        scale = longest / max(size_mm)
        wide, high = round(size_mm[0] * scale), round(size_mm[1] * scale)
        given = np.asarray(corners, np.float32) * np.array([frame.shape[1], frame.shape[0]], np.float32) - 0.5
        target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        plane = cv2.getPerspectiveTransform(given.astype(np.float32), target)
        return _coded(cv2.warpPerspective(frame, plane, (wide, high), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE), 85)

    def reference(self, flat: bytes) -> bytes:
        """The small picture that goes into a board file."""
        frame = _decoded(flat)
        scale = REFERENCE / max(frame.shape[:2])
        return _coded(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), 80)

    def suggest(self, flat: bytes, kind: str, size_mm: tuple[float, float]) -> dict[str, Any]:
        """The lines of this kind of board, as a shape of a draft; empty when none are seen."""
        seen = self._lines(_decoded(flat), kind)
        return self.snapped_shape(flat, seen, {}) if seen else {}

    def _lines(self, frame: Array, kind: str) -> dict[str, Any]:
        if kind == "grid":
            found = grid_lines(frame)
            return {"kind": "grid", "columns": found[0], "rows": found[1], "extra": [], "without": []} if found else {}
        if kind == "cross":
            found = grid_lines(frame, middle=True)
            if not found or len(found[0]) != len(found[1]) or len(found[0]) % 2 or len(found[0]) < 8:
                return {}
            return {"kind": "cross", "columns": found[0], "rows": found[1], "arm": (len(found[0]) - 4) // 2, "discs": []}
        if kind == "ring":
            return ring_lines(frame)
        return {}

    def snapped_shape(self, flat: bytes, shape: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
        """A shape of which a thumb has moved something: its lines, or what is new of its circles and strips, onto what is seen."""
        frame = _decoded(flat)
        wide, high = frame.shape[1], frame.shape[0]
        slopes, out = snap.Slopes(frame), dict(shape)
        if shape["kind"] in ("grid", "cross") and _ends(shape) != _ends(before):
            (left, right), (top, bottom) = _ends(shape)
            columns, rows = len(shape["columns"]) - 1, len(shape["rows"]) - 1
            lines = snap.snapped_grid(slopes, left * wide, right * wide, top * high, bottom * high, columns, rows)
            out["columns"] = np.linspace(lines[0] / wide, lines[1] / wide, columns + 1).tolist()
            out["rows"] = np.linspace(lines[2] / high, lines[3] / high, rows + 1).tolist()
        if shape["kind"] == "ring" and any(shape[key] != before.get(key) for key in ("centre", "radii", "first")):
            x, y = shape["centre"]
            numbers = snap.snapped_ring(slopes, (x * wide, y * high), [r * wide for r in shape["radii"]], shape["first"], shape["count"])
            out |= {"centre": [numbers[0] / wide, numbers[1] / high], "radii": [r / wide for r in numbers[2:6]], "first": numbers[6] % 360}
        if "discs" in shape:
            known = list(before.get("discs", ()))
            out["discs"] = [disc if disc in known else _snapped_disc(slopes, disc, known, wide, high) for disc in shape["discs"]]
        if "parts" in shape:
            known = list(before.get("parts", ()))
            out["parts"] = [part if part in known else _snapped_part(slopes, part, known, shape, wide, high) for part in shape["parts"]]
        return out

    def colours(self, flat: bytes, outlines: Sequence[Sequence[Sequence[float]]], size_mm: tuple[float, float]) -> list[str]:
        """The usual colour of each outline (millimetres), as #rrggbb."""
        frame = _decoded(flat)
        scale = frame.shape[1] / size_mm[0]
        return [_hex(_within(frame, np.asarray(outline, float) * scale)) for outline in outlines]

    def sorted_by_colour(self, seen: Sequence[str], printed: Sequence[str]) -> list[int]:
        """For each colour that was seen, the index of the printed one it belongs to: alike ones together, old inks and lamps allowed for."""
        if not seen or not printed:
            return []
        lab, wanted = _lab(seen), _lab(printed)
        labels, middles = _clusters(lab, min(len(printed), len({*seen})))
        spread = wanted - wanted.mean(0), middles - middles.mean(0)
        far = np.linalg.norm(spread[1][:, None] - spread[0][None], axis=2) + 0.7 * np.linalg.norm(middles[:, None] - wanted[None], axis=2)
        best = min(permutations(range(len(printed)), len(middles)), key=lambda order: sum(far[i, k] for i, k in enumerate(order)))
        return [best[label] for label in labels]


def _ends(shape: Mapping[str, Any]) -> list[tuple[float, float]]:
    return [(shape[lines][0], shape[lines][-1]) for lines in ("columns", "rows") if lines in shape]


def _snapped_disc(slopes: snap.Slopes, disc: Mapping[str, Any], known: Sequence[Mapping[str, Any]], wide: int, high: int) -> dict[str, Any]:
    is_usual = any(other.get("radius") == disc["radius"] and other.get("at") != disc["at"] for other in known)
    x, y, radius = snap.snapped_disc(slopes, disc["at"][0] * wide, disc["at"][1] * high, disc["radius"] * wide, is_usual)
    return {**disc, "at": [x / wide, y / high], "radius": radius / wide}


def _snapped_part(
    slopes: snap.Slopes, part: Mapping[str, Any], known: Sequence[Mapping[str, Any]], shape: Mapping[str, Any], wide: int, high: int
) -> dict[str, Any]:
    if "at" in part:
        return _snapped_disc(slopes, part, known, wide, high)
    size = np.array([wide, high], float)
    turns = [0.0] if part["once"] else [360 / shape["repeat"] * turn * (1 if shape["clockwise"] else -1) for turn in range(shape["repeat"])]
    corners = snap.snapped_strip(slopes, np.array(part["corners"]) * size, part["count"], np.array(shape["centre"]) * size, turns)
    return {**part, "corners": (corners / size).tolist()}


def _decoded(data: bytes) -> Array:
    frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if frame is None:
        raise BadInput("picture: it cannot be read; take it again, or choose another file")
    return frame


def _coded(frame: Array, quality: int) -> bytes:
    return bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def fractions(corners: Array, frame: Array) -> list[list[float]]:
    size = np.array([frame.shape[1], frame.shape[0]], float)
    return [[round(float(x), 5), round(float(y), 5)] for x, y in corners / size]


def sharpness(frame: Array) -> float:
    """How much of the picture's contrast its steepest edges cross from one pixel to the next, at a size all pictures share."""
    small = cv2.resize(frame, None, fx=1000 / max(frame.shape[:2]), fy=1000 / max(frame.shape[:2]), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    contrast = float(np.percentile(grey, 98) - np.percentile(grey, 2)) or 1.0
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(grey, cv2.CV_32F, 0, 1) / 8)
    return float(np.percentile(steep, 99)) / contrast


def seen_corners(frame: Array) -> Array | None:
    """The largest plain four-sided shape, its corners on its edges: top left, top right, bottom right, bottom left as seen."""
    strength = edge_strength(Picture.of(frame))
    along = np.linspace(0.03, 0.97, 60)[:, None]
    best, most = None, 0.0
    for quad in (*_quads(frame), *unlike_the_table(frame)):
        sides = np.concatenate([a + (b - a) * along for a, b in zip(quad, np.roll(quad, -1, 0), strict=True)])
        edge = cv2.remap(strength, sides.reshape(-1, 1, 2).astype(np.float32), np.empty(0), cv2.INTER_LINEAR)
        worst = min(float(part.mean()) for part in np.split(edge.ravel(), 4))
        area = cv2.contourArea(quad.astype(np.float32)) / frame.shape[0] / frame.shape[1]
        if worst > 0.35 and area < 0.97 and area * min(worst, 0.7) > most:
            best, most = quad, area * min(worst, 0.7)
    return None if best is None else on_edges(frame, best, 0.006 * max(frame.shape[:2]))


def _lies_on_one_table(frame: Array, corners: Array) -> bool:
    """All round the picture its rim shows the table. Where one side of the rim is as unlike the others as the board is, more of the board
    lies there than the picture has."""
    small = cv2.resize(frame, None, fx=400 / max(frame.shape[:2]), fy=400 / max(frame.shape[:2]), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2Lab).astype(np.float32) * np.array([0.3, 1.0, 1.0], np.float32)
    rims = [np.median(rim.reshape(-1, 3), 0) for rim in (lab[:6], lab[:, -6:], lab[-6:], lab[:, :6])]
    table = np.median(rims, 0)
    mask = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillPoly(mask, [(corners * 400 / max(frame.shape[:2])).astype(np.int32)], 1)
    board = np.median(np.linalg.norm(lab[mask > 0] - table, axis=1))
    return all(float(np.linalg.norm(rim - table)) < SAME_TABLE * float(board) + 3 for rim in rims)


def straight_lines(frame: Array) -> int:
    """Long straight edges: a board has many, a cat has none."""
    small = cv2.resize(frame, None, fx=800 / max(frame.shape[:2]), fy=800 / max(frame.shape[:2]), interpolation=cv2.INTER_AREA)
    edges = cv2.Canny(cv2.GaussianBlur(small, (0, 0), 1), 40, 110)
    found = cv2.HoughLinesP(edges, 1, np.pi / 360, 90, minLineLength=240, maxLineGap=2)
    return 0 if found is None else len(found)


def unlike_the_table(frame: Array) -> list[Array]:
    """Four-sided shapes of whatever has other colours than the rim of the picture, where only the table is seen."""
    pixel = max(frame.shape[:2]) / 400
    small = cv2.resize(frame, None, fx=1 / pixel, fy=1 / pixel, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1), cv2.COLOR_BGR2Lab).astype(np.float32)
    rim = max(3, int(0.02 * max(small.shape[:2])))
    border = np.concatenate([lab[:rim].reshape(-1, 3), lab[-rim:].reshape(-1, 3), lab[:, :rim].reshape(-1, 3), lab[:, -rim:].reshape(-1, 3)])
    _, middles = _clusters(border[::3], 5)
    near = np.linalg.norm(border[:, None] - middles[None], axis=2).min(1)
    far = np.linalg.norm(lab[:, :, None] - middles[None, None], axis=3).min(2)
    found = []
    for part in (97, 99.5):
        mask = (far > max(4.0, 1.3 * float(np.percentile(near, part)))).astype(np.uint8)
        mask = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            hull = cv2.convexHull(contour)
            if cv2.contourArea(hull) < 0.08 * mask.size:
                continue
            for detail in (0.02, 0.03, 0.05, 0.07):
                quad = cv2.approxPolyDP(hull, detail * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
                if len(quad) == 4:
                    quad = quad if is_clockwise(quad) else quad[::-1]
                    quad = np.roll(quad, -int(quad.sum(1).argmin()), 0)
                    found.append(on_edges(frame, (quad + 0.5) * pixel - 0.5, 0.02 * max(frame.shape[:2])))
                    break
    return found


def on_edges(frame: Array, corners: Array, reach: float) -> Array:
    """Each side moved to where the board ends and the table begins, within reach; the corners are where sides meet.

    Board and table are told apart by their colours further in and further out: a line printed along the edge, or a gap between two planks,
    has the same on both sides."""
    smooth = cv2.cvtColor(cv2.GaussianBlur(frame, (0, 0), max(0.7, max(frame.shape[:2]) / 1800)), cv2.COLOR_BGR2Lab).astype(np.float32)
    smooth[..., 0] *= DARKER  # a shadow lies along the edge
    for within in (reach, 0.5 * reach, 0.2 * reach):  # the nearer the sides are, the better the colours beside them are known
        corners = _on_edges(smooth, corners, within)
    return corners


def _on_edges(smooth: Array, corners: Array, reach: float) -> Array:
    middle = corners.mean(0)
    offsets = np.arange(-3 * reach, 3 * reach + 0.25, 0.5)
    near = np.abs(offsets) <= reach
    sides = []
    for a, b in zip(corners, np.roll(corners, -1, 0), strict=True):
        direction = (b - a) / np.linalg.norm(b - a)
        normal = np.array([-direction[1], direction[0]])
        if normal @ (middle - a) > 0:
            normal = -normal  # outwards
        places = a + (b - a) * np.linspace(0.04, 0.96, 160)[:, None]
        points = (places[:, None] + normal * offsets[None, :, None]).astype(np.float32)
        values = cv2.remap(smooth, points, np.empty(0), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        split = _board_ends(values, offsets, reach)
        edge = places + normal * _steepest(values[:, near], offsets[near], split)[:, None]
        vx, vy, x, y = cv2.fitLine(edge.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        sides.append((np.array([x, y], float), np.array([vx, vy], float)))
    out = []
    for (p, u), (q, v) in zip((sides[3], *sides[:3]), sides, strict=True):
        out.append(p + u * np.linalg.solve(np.stack([u, -v], 1), q - p)[0])
    return np.array(out)


def _board_ends(values: Array, offsets: Array, reach: float) -> Array:
    """For each place along a side, at which offset its colours turn from the board's to the table's: a straight line."""
    unlike = []
    for part in (offsets < -reach, offsets > reach):
        sample = values[:, part].reshape(-1, 3)[::7]
        _, middles = _clusters(sample, 4)
        far = np.linalg.norm(values[:, np.abs(offsets) <= reach, None] - middles[None, None], axis=3).min(2)
        usual = float(np.median(np.linalg.norm(sample[:, None] - middles[None], axis=2).min(1))) + 2.0
        unlike.append(np.minimum(far / usual, 6.0))
    inside = np.cumsum(unlike[0] - unlike[1], 1)  # cost of calling all up to here board, against calling it table
    parts = np.array_split(np.arange(len(values)), 16)
    costs = np.stack([inside[part].mean(0) for part in parts])
    at = np.array([part.mean() for part in parts]) / (len(values) - 1) - 0.5
    within = offsets[np.abs(offsets) <= reach]
    best, chosen = np.inf, np.zeros(len(values))
    for tilt in np.linspace(-0.6, 0.6, 25) * reach:
        shift = np.round(tilt * at / 0.5).astype(int)
        total = np.zeros(len(within))
        for cost, by in zip(costs, shift, strict=True):
            total += cost[np.clip(np.arange(len(within)) + by, 0, len(within) - 1)]
        if total.min() < best:
            best = float(total.min())
            chosen = within[int(total.argmin())] + tilt * (np.linspace(0, 1, len(values)) - 0.5)
    return np.asarray(chosen)


def _steepest(values: Array, offsets: Array, around: Array) -> Array:
    """Near those offsets, where the colours change most."""
    steep = np.linalg.norm(np.diff(values, axis=1), axis=2)
    middles = offsets[:-1] + 0.25
    weight = steep**2 * (np.abs(middles[None] - around[:, None]) <= 2.5)
    total = weight.sum(1)
    return np.where(total > 1e-6, (weight * middles[None]).sum(1) / np.maximum(total, 1e-6), around)


def _burnt(frame: Array, corners: Array) -> float:
    """How much of the board is whiter than paper: burnt out in all colours, in one piece."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(mask, [corners.astype(np.int32)], 1)
    white = ((frame.min(2) >= 252) & (mask > 0)).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(white)
    largest = float(stats[1:, cv2.CC_STAT_AREA].max()) if len(stats) > 1 else 0.0
    return largest / max(float(mask.sum()), 1.0)


def _within(frame: Array, outline: Array) -> Array:
    """The median colour of the middle of an outline; lettering and lines are the lesser part."""
    shrunk = outline.mean(0) + 0.75 * (outline - outline.mean(0))
    low, high = np.maximum(shrunk.min(0).astype(int), 0), shrunk.max(0).astype(int) + 1
    patch = frame[low[1] : high[1], low[0] : high[0]]
    if not patch.size:
        return np.zeros(3)
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(shrunk - low).astype(np.int32)], 1)
    chosen = patch[mask > 0]
    return np.asarray(np.median(chosen if len(chosen) else patch.reshape(-1, 3), 0))


def _hex(bgr: Array) -> str:
    blue, green, red = (round(float(v)) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _lab(colours: Sequence[str]) -> Array:
    rgb = np.array([[[int(c[i : i + 2], 16) for i in (1, 3, 5)]] for c in colours], np.float32) / 255
    lab = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2Lab)).reshape(-1, 3)
    return np.asarray(lab * np.array([0.6, 1.0, 1.0]))


def _clusters(lab: Array, count: int) -> tuple[list[int], Array]:
    """Groups of alike colours: begun with those that differ most, so that a rare colour has its own."""
    if len(lab) <= count:
        return list(range(len(lab))), lab
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 0.05)
    _, labels, middles = cv2.kmeans(lab.astype(np.float32), count, np.empty(0), criteria, 12, cv2.KMEANS_PP_CENTERS)
    return [int(label) for label in labels.ravel()], np.asarray(middles, float)
