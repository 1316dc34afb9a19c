"""The empty board as it should look now, and how well each pixel of the flat picture agrees with it.

The reference is one picture of the empty board. Another light shifts its colours by a smooth field, and each printed colour by a
little of its own (gloss and stray light do that); both are measured anew in every picture, from the pixels that most agree. How far
honest cardboard strays from the prediction is measured in the same way, so no threshold belongs to a lamp or a camera.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.flat import Flat, read, space_outline, turned
from vision.gloss import under_this_light
from vision.light import Field, Noise, clipped, feature_noise, features, fit_field
from vision.view import Array, View

# Neighbouring pixels err together: this many square millimetres count as one independent look.
ONE_LOOK = 9.0
INKS = 12  # printed colours that are told apart
REGISTRATION = (0.15, 0.5)  # pixels of the frame by which the view may be off, at least and at most
EDGE = 0.3  # change of brightness within a pixel from which print tells how far the view is off
# Chances of what a pixel of an empty place may show beside its own colour: a shadow on it, or anything at all.
SHADOWED, ODD = 0.08, 0.02
DEEP, LIGHTER = 3.0, 0.15  # shadows get rarer by so much per unit of darkness (a logarithm); a gleam adds at most so much light
# Beyond this darkness much rarer: light comes from the whole room, and what is darker still is paint.
DARKEST, BEYOND = 1.5, 12.0
# Where a lamp and a window light a table, the shadow from one shows the colour of the other: by so much of its darkness the tints
# (red, blue) may stray between a bulb of 2,700 K and a window of 7,500 K. Half of all shadows are taken to be such.
LAMPS_DIFFER = np.array([0.3, 0.6], np.float32)
# So far may a gleam shift a whole space, brightness and tints; what shifts it further lies on it.
GLEAM = np.array([0.35, 0.15, 0.15])
COARSE = 2.0**2  # variance of a pixel value that compression makes in small dark coloured things
BLEEDING = (6.0, 6.0)  # so much more for tints: cameras and JPEG keep colour at half the resolution, and it bleeds
CENSORED = 0.1**2  # variance of features of which one channel is clipped
# Anything at all: evenly spread over the features a camera can tell (brightness 4, each tint 3).
ANYTHING = -float(np.log(4.0 * 3.0 * 3.0))


class Reading(NamedTuple):
    """One picture of the board, laid flat and compared with the empty board."""

    features: Array  # (rows, columns, 3), as seen
    light: Array  # the light that has been found, to be taken off to get a piece's own colour
    spread: Array  # variance of each feature by which honest colours stray in this picture, camera noise included
    plain: Array  # log likelihood of each pixel if nothing stands there and no shadow falls there
    empty: Array  # the same, shadows allowed
    grain: Array  # variance of each feature by the camera's noise and compression alone
    off: Array  # by how much it differs from the empty board
    unknown: Array  # too bright, too dark, outside the picture, or not the board
    degrees: float  # of the platform


class Background:
    def __init__(self, flat: Flat, view: View, picture: Array, noise: Noise, degrees: float = 0.0, thick: float = 0.0) -> None:
        """`picture`: the empty board, its platform (`thick` millimetres high) turned by `degrees`."""
        self.flat, self.view, self.picture, self.noise, self.degrees, self.thick = flat, view, picture, noise, degrees, thick
        # Small coloured things suffer more from compression than the wide print from which the noise was learned.
        self.coarse = Noise(max(noise.a, COARSE), noise.b)
        self.scale = view.scale(np.array(flat.board.size_mm) / 2)
        own = features(read(picture, flat.maps(view, 0.0, thick)))
        self.inks = _inks(own[flat.on_board])
        self.lamp = self._lamp(own)
        self.regions = (flat.on_platform, ~flat.on_platform) if flat.table else (np.ones(flat.shape, bool),)
        self._insides: dict[float, dict[str, Array]] = {}
        self._cache: dict[float, tuple[Array, Array, Array, list[Array], Array]] = {}

    def thicker(self, thick: float) -> Background:
        """The same with a platform of another thickness."""
        return self if thick == self.thick else Background(self.flat, self.view, self.picture, self.noise, self.degrees, thick)

    def _lamp(self, own: Array) -> Field:
        """How the lamp falls off over the board: spaces that are printed alike should look alike."""
        flat = self.flat
        alike: dict[tuple[object, ...], list[tuple[Array, Array]]] = {}
        for space in flat.board.spaces.values():
            outline = space_outline(flat, space.id, self.degrees)
            inside = flat.mask(outline)
            if inside.sum() >= 12:
                key = (tuple(sorted(space.kinds)), space.facts.get("colour"), space.facts.get("owner"))
                alike.setdefault(key, []).append((outline.mean(0), np.median(own[inside], 0)))
        points, values = [], []
        for group in alike.values():
            if len(group) >= 3:
                places, looks = np.array([g[0] for g in group]), np.array([g[1] for g in group])
                points.append(places)
                values.append(looks - looks.mean(0))
        if not points:
            return fit_field(np.zeros((6, 2)), np.zeros((6, 3)), flat.board.size_mm)
        # The fit's own constant takes up that each group was centred where it happens to lie.
        field = fit_field(np.concatenate(points), np.concatenate(values), flat.board.size_mm)
        field.coefficients[0] = 0
        return field

    def reference(self, degrees: float) -> tuple[Array, Array, Array, list[Array], Array]:
        """Features of the empty board with its platform at this angle, their variance, by how much they change within a pixel of the
        frame, the pixels of each ink, what is clipped."""
        key = round(degrees, 2)
        if key not in self._cache:
            flat = self.flat
            back = self.degrees - degrees
            pixels = read(self.picture, flat.maps(self.view, back, self.thick))
            seen = features(pixels)
            if back and flat.table:  # a turned place lies in another part of the lamp's light now
                source = turned(flat.points, flat.table, back)
                moved = self.lamp.at(flat.points) - self.lamp.at(source)
                seen = np.where(flat.on_platform[..., None], seen + moved, seen).astype(np.float32)
            # Where the print has edges, being off by part of a pixel changes the colour.
            wide = max(3, 2 * round(1.0 / (self.scale * flat.pitch)) + 1)
            kernel = np.ones((wide, wide), np.uint8)
            span = cv2.dilate(seen, kernel) - cv2.erode(seen, kernel)
            edge = span / max(self.scale * flat.pitch, 1.0)
            variance = feature_noise(pixels, self.noise)
            if len(self._cache) > 60:
                self._cache.clear()
            ink = _nearest(seen, self.inks)
            of_ink = [np.flatnonzero((ink == n) & region) for region in self.regions for n in range(len(self.inks))]
            self._cache[key] = (seen, variance, edge, of_ink, clipped(pixels))
        return self._cache[key]

    def read(self, frame: Array, view: View, degrees: float = 0.0, maps: tuple[Array, Array] | None = None) -> Reading:
        flat = self.flat
        pixels = read(frame, maps or flat.maps(view, 0.0, self.thick))
        seen = features(pixels)
        expected, variance, edge, ink, clipped_before = self.reference(degrees)
        burnt = clipped(pixels)
        # White that stays white is as expected; a gleam where there was none hides what is under it.
        unknown = ((burnt >= 2) & (clipped_before < 2)) | (pixels.max(-1) <= 1) | ~flat.on_board
        variance = variance + np.where(((burnt > 0) | (clipped_before > 0))[..., None], np.float32(CENSORED), np.float32(0))
        off = seen - expected
        light = np.zeros_like(off)
        for region in self.regions:  # a turned platform shows its reference in other light than the board round it
            chosen = (~unknown & region)[::3, ::3]
            if chosen.sum() >= 60:
                field = fit_field(flat.points[::3, ::3][chosen], off[::3, ::3][chosen], flat.board.size_mm)
                light[region] = field.at(flat.points[region])
        off = off - light
        if flat.table:
            window = flat.around_platform
            plain = (~unknown & flat.on_platform & (edge[..., 0] < EDGE))[window]
            relit, doubt = under_this_light((seen - off)[window], pixels[window], plain, flat.pitch, flat.pitch**2 / ONE_LOOK)
            platform = flat.on_platform[window][..., None]
            off[window] = np.where(platform, seen[window] - relit, off[window])
            variance[window] += np.where(platform, doubt, np.float32(0))
        # A platform is turned by hand and lies higher: how far it is off is known less well.
        still = ~unknown & ~flat.on_platform
        apart = np.where(flat.on_platform, np.float32(REGISTRATION[1]), np.float32(_registration(off, edge, still)))
        steady = variance + feature_noise(pixels, self.noise) + (edge * apart[..., None]) ** 2
        offs, known = off.reshape(-1, 3), ~unknown.reshape(-1)
        for there in ink:
            if len(sample := _sample(offs, there, known)):
                # A whole ink that differs much is not the light any more.
                offs[there] -= np.clip(np.median(sample, 0), -0.25, 0.25)
        self._settle_spaces(off, self._strayed(offs, steady, ink, known), unknown, degrees)
        spread = self._strayed(offs, steady, ink, known)
        light = light + self.lamp.at(flat.points)
        grain = feature_noise(pixels, self.coarse) * np.array([1.0, *BLEEDING], np.float32)
        return Reading(seen, light, spread, *_empty(off, spread), grain, off, unknown, degrees)

    def _strayed(self, offs: Array, steady: Array, inks: list[Array], known: Array) -> Array:
        """Variance of each pixel: what the camera makes, and how far its ink strays in this picture."""
        spread = steady.copy()
        spreads = spread.reshape(-1, 3)
        for there in inks:
            if len(sample := _sample(offs, there, known)):
                stray = 1.4826 * np.median(np.abs(sample), 0)
                spreads[there] += np.minimum(stray, 0.25) ** 2
        return spread

    def _settle_spaces(self, off: Array, spread: Array, unknown: Array, degrees: float) -> None:
        """A space that is shifted as a whole, within what its ink strays anyway, lies in a gleam: take the shift off."""
        offs, spreads, hidden = off.reshape(-1, 3), spread.reshape(-1, 3), unknown.reshape(-1)
        for inside in self.insides(degrees).values():
            there = inside[~hidden[inside]]
            if len(there) < 12:
                continue
            here = offs[there]
            middle = np.median(here, 0)
            scale = np.sqrt(np.median(spreads[there], 0))
            if (np.abs(middle) < np.minimum(3 * scale, GLEAM)).all() and (np.abs(here - middle) < 2 * scale).all(-1).mean() > 0.55:
                offs[there] = here - middle

    def insides(self, degrees: float) -> dict[str, Array]:
        """The pixels inside each space, as flat indices."""
        key = round(degrees, 2)
        if key not in self._insides:
            if len(self._insides) > 60:
                self._insides.clear()
            flat = self.flat
            names = flat.board.spaces
            self._insides[key] = {name: np.flatnonzero(flat.mask(space_outline(flat, name, degrees))) for name in names}
        return self._insides[key]


def _registration(off: Array, edge: Array, known: Array) -> float:
    """By how many pixels of the frame this picture is off, told by the edges of the print: most of them are bare. Cardboard bends
    here more than there, so four edges in five are to agree, not only every second."""
    sharp = known & (edge[..., 0] > EDGE)
    if sharp.sum() < 60:
        return REGISTRATION[1]
    apart = float(np.quantile(np.abs(off[sharp][:, 0]) / edge[sharp][:, 0], 0.8)) / 1.28  # of a normal spread
    return float(np.clip(apart, *REGISTRATION))


def _sample(offs: Array, there: Array, known: Array) -> Array:
    """Some two thousand of an ink's pixels; none if it has too few to tell."""
    there = there[known[there]]
    return np.asarray(offs[there[:: max(1, len(there) // 2000)]]) if len(there) >= 30 else np.zeros((0, 3))


def _empty(off: Array, spread: Array) -> tuple[Array, Array]:
    """Log likelihood of each pixel's difference if nothing but the board is there, in plain light and with shadows allowed."""
    squares = off**2 / spread
    norms = 0.5 * np.log(2 * np.pi * spread)
    tint = -0.5 * (squares[..., 1] + squares[..., 2]) - norms[..., 1] - norms[..., 2]
    plain = np.log(1 - SHADOWED - ODD) + tint - 0.5 * squares[..., 0] - norms[..., 0]
    plain = np.logaddexp(plain, np.log(ODD) + ANYTHING)
    darker = off[..., 0] - LIGHTER
    depth = DEEP * darker + BEYOND * np.minimum(darker + DARKEST, 0)
    shade = np.where(darker < 0, np.log(SHADOWED * DEEP) + depth + tint, -np.inf)
    empty = np.logaddexp(plain, shade)
    odd = (empty < ANYTHING) & (darker < 0)
    empty[odd] = np.logaddexp(empty[odd], _coloured_shadow(off[odd], spread[odd], depth[odd]))
    return np.asarray(plain, np.float32), np.asarray(empty, np.float32)


def _coloured_shadow(off: Array, spread: Array, depth: Array) -> Array:
    """Log likelihood of a shadow that takes away the light of one of two lamps."""
    variance = spread[:, 1:] + (LAMPS_DIFFER * np.minimum(off[:, :1], 0)) ** 2
    tint = -0.5 * (off[:, 1:] ** 2 / variance + np.log(2 * np.pi * variance)).sum(-1)
    return np.asarray(np.log(SHADOWED * DEEP / 2) + depth + tint)


def _inks(seen: Array) -> Array:
    """The printed colours, most of them."""
    data = np.ascontiguousarray(seen[:: max(1, len(seen) // 6000)], np.float32)
    cv2.setRNGSeed(1)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    start = np.zeros((len(data), 1), np.int32)
    return np.asarray(cv2.kmeans(data, INKS, start, criteria, 3, cv2.KMEANS_PP_CENTERS)[2])


def _nearest(seen: Array, inks: Array) -> Array:
    distance = [((seen - ink) ** 2).sum(-1) for ink in inks]
    return np.asarray(np.argmin(np.stack(distance), 0))
