"""Lines of a board laid flat: the even spacing of a grid's columns and rows, the sectors of a ring and its circles."""

from __future__ import annotations

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FEWEST, MOST = 4, 30  # squares across a board
MIDDLE = 0.10  # of the board: the strip in which a cross has all its lines
SECTORS = range(12, 73)
CLEAR = 0.4  # of the usual line: less is none


class Comb(NamedTuple):
    """Evenly spaced lines: the first, the distance, how many, and how much clearer they are than what lies between."""

    start: float
    pitch: float
    squares: int
    score: float


def steepness(frame: Array, axis: int) -> Array:
    """How much the colour changes across (axis 1: from left to right), with a little blur against the grain of the print."""
    lab = cv2.cvtColor(cv2.GaussianBlur(frame, (0, 0), 1.2), cv2.COLOR_BGR2Lab).astype(np.float32)
    slope = cv2.Sobel(lab, cv2.CV_32F, int(axis == 1), int(axis == 0), ksize=3)
    return np.asarray(np.minimum(np.abs(slope).sum(2), 120.0))


def grid_lines(frame: Array, middle: bool = False) -> tuple[list[float], list[float]] | None:
    """Columns and rows as parts of the board; squares are about as wide as high. `middle`: only the board's middle has them all."""
    profiles = []
    for axis in (1, 0):
        steep = steepness(frame, axis)
        across = steep if axis == 1 else steep.T
        if middle:
            half = max(2, int(MIDDLE / 2 * len(across)))
            across = across[len(across) // 2 - half : len(across) // 2 + half]
        # A line is steep along most of its length; lettering and ornament are steep here and there.
        strips = [np.minimum(part.mean(0), 60.0) for part in np.array_split(across, 24 if not middle else 6)]
        profiles.append(_flattened(np.mean(np.sqrt(strips), 0)))
    best: tuple[float, Comb, Comb] | None = None
    shortest = min(len(p) for p in profiles)
    for pitch in np.geomspace(shortest / MOST, max(len(p) for p in profiles) / FEWEST, 420):
        combs = [_comb(profile, float(pitch), 2 if middle else 0) for profile in profiles]
        if any(c is None or c.squares < FEWEST for c in combs):
            continue
        one, other = combs
        assert one
        assert other
        # More lines at the same clearness are better: half as many would be every second line.
        score = (one.score + other.score) * (one.squares + other.squares) ** 0.25
        if best is None or score > best[0]:
            best = score, one, other
    if best is None or best[0] <= 0:
        return None
    out = [_refined(profile, comb) for profile, comb in zip(profiles, best[1:], strict=True)]
    return [round(x, 5) for x in out[0]], [round(y, 5) for y in out[1]]


def _flattened(profile: Array) -> Array:
    """Clearness of a line against its neighbourhood."""
    wide = cv2.GaussianBlur(profile.reshape(1, -1).astype(np.float32), (0, 0), len(profile) / 25).ravel()
    return np.asarray(np.maximum(profile - wide, 0.0))


def _comb(profile: Array, pitch: float, gap: int) -> Comb | None:
    """The clearest run of lines at this distance; so many together may be missing in it."""
    blurred = cv2.dilate(profile.reshape(1, -1).astype(np.float32), np.ones((1, 5), np.uint8)).ravel()
    steps = np.arange(0, pitch, max(1.0, pitch / 60))
    count = int((len(profile) - 1) / pitch) + 1
    best: Comb | None = None
    for start in steps:
        at = start + pitch * np.arange(count)
        at = at[at <= len(profile) - 1]
        lines = blurred[at.astype(int)]
        if len(lines) < FEWEST + 1:
            continue
        usual = float(np.median(np.sort(lines)[len(lines) // 3 :]))
        clear = lines > CLEAR * usual
        first, length = _longest(clear, gap)
        if length < FEWEST + 1:
            continue
        chosen = slice(first, first + length)
        between = (at[chosen][:-1] + pitch / 2).astype(int)
        thirds = np.concatenate([(at[chosen][:-1] + pitch * part).astype(int) for part in (1 / 3, 2 / 3)])
        score = float(np.minimum(lines[chosen], 2 * usual).mean()) - 0.8 * float(np.maximum(blurred[between].mean(), blurred[thirds].mean()))
        if best is None or score > best.score:
            best = Comb(float(at[first]), pitch, length - 1, score)
    return best


def _longest(clear: Array, gap: int) -> tuple[int, int]:
    best, start, last = (0, 0), 0, -gap - 2
    for i in np.flatnonzero(clear).tolist():
        if i - last > gap + 1:
            start = i
        last = i
        if i - start + 1 > best[1]:
            best = start, i - start + 1
    return best


def _refined(profile: Array, comb: Comb) -> list[float]:
    """Each line where the picture has it; those that are unclear where the others say."""
    reach = max(2, int(comb.pitch * 0.12))
    found = []
    for number in range(comb.squares + 1):
        middle = comb.start + comb.pitch * number
        low, high = max(int(middle) - reach, 0), min(int(middle) + reach + 1, len(profile))
        window = profile[low:high]
        if not len(window) or window.sum() <= 0:
            continue
        top = int(window.argmax())
        near = slice(max(top - 3, 0), top + 4)
        weights = window[near] ** 2
        found.append((number, low + float((np.arange(len(window))[near] * weights).sum() / weights.sum()), float(window.max())))
    table = np.array(found, float)
    k, at, weight = table[:, 0], table[:, 1], table[:, 2]
    for _ in range(4):
        slope, start = np.polyfit(k, at, 1, w=np.sqrt(weight))
        off = np.abs(at - start - slope * k)
        weight = weight * np.exp(-((off / max(1.0, 1.5 * float(np.median(off)))) ** 2) / 2) + 1e-6
    even = start + slope * np.arange(comb.squares + 1)
    return [float((x + 0.5) / len(profile)) for x in even]


# --- ring ---


def ring_lines(frame: Array) -> dict[str, Any]:
    """Number of spaces, where the first line lies, and the circles of a ring and a platform about the board's middle."""
    high, wide = frame.shape[:2]
    centre, reach = (wide / 2 - 0.5, high / 2 - 0.5), int(min(wide, high) / 2)
    turns = 3600
    polar = cv2.warpPolar(frame, (reach, turns), centre, reach, cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR)
    angular, radial = steepness(polar, 0), steepness(polar, 1)
    strength: dict[int, tuple[float, float, Array]] = {}
    for count in SECTORS:
        strength[count] = _sectors(angular, count)
    count = max(strength, key=lambda n: strength[n][0])
    _, start, by_radius = strength[count]
    bands = _bands(by_radius, radial)
    if len(bands) == 1:  # ring and platform touch
        bands = _parted(bands[0], radial)
    if len(bands) < 2:
        return {}
    (rim, hub), (outer, inner) = sorted(bands)[0][::-1], sorted(bands)[-1][::-1]
    # Polar angles run clockwise from the right; ours from the top.
    return {
        "kind": "ring", "centre": [0.5, 0.5], "radii": [round(r / wide, 5) for r in (outer, inner, min(rim, inner), hub)],
        "first": round((start / turns * 360 + 90) % (360 / count) + 180, 3), "clockwise": True, "count": count, "arrow": count, "discs": [],
    }  # fmt: skip


def _sectors(angular: Array, count: int) -> tuple[float, float, Array]:
    """How clear lines at this many equal angles are, the first angle, and how clear they are at each radius."""
    turns = len(angular)
    phases = int(turns / count)
    # Radii outwards from the hub: lines further in lie too close together.
    outer = np.sqrt(angular[:, angular.shape[1] // 4 :])
    profile = outer.mean(1)
    at = (np.arange(count) * turns / count)[None] + np.arange(phases)[:, None]
    folded = profile[at.astype(int) % turns].mean(1)
    phase = int(folded.argmax())
    lines = (at[phase].astype(int)) % turns
    between = (lines + int(phases / 2)) % turns
    rows = np.sqrt(angular)
    by_radius = np.maximum(rows[lines], np.maximum(rows[lines - 1], rows[(lines + 1) % turns])).mean(0) - rows[between].mean(0)
    return float(folded.max() - np.median(folded)) * count**0.35, float(at[phase][0]), by_radius


def _bands(by_radius: Array, radial: Array) -> list[tuple[float, float]]:
    """Radii between which the lines are clear, moved to the nearest circle."""
    smooth = cv2.GaussianBlur(by_radius.reshape(1, -1).astype(np.float32), (0, 0), 3).ravel()
    level = 0.35 * float(np.percentile(smooth, 95))
    circles = np.sqrt(radial).mean(0)
    circles = circles - cv2.GaussianBlur(circles.reshape(1, -1).astype(np.float32), (0, 0), 15).ravel()
    out, start = [], None
    for r, is_clear in enumerate([*(smooth > level), False]):
        if is_clear and start is None:
            start = r
        elif not is_clear and start is not None:
            if r - start > 0.06 * len(smooth):
                out.append((_nearest(circles, start), _nearest(circles, r)))
            start = None
    return out


def _parted(band: tuple[float, float], radial: Array) -> list[tuple[float, float]]:
    """At the clearest circle inside."""
    near, far = sorted(band)
    margin = 0.25 * (far - near)
    inside = slice(int(near + margin), int(far - margin) + 1)
    profile = np.sqrt(radial).mean(0)[inside]
    between = float(inside.start + int(profile.argmax()) + 0.5) if len(profile) else far
    return [(near, between), (between, far)]


def _nearest(circles: Array, r: int) -> float:
    low, high = max(r - 12, 0), min(r + 13, len(circles))
    return float(low + int(circles[low:high].argmax()) + 0.5)
