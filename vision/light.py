"""Colours as logarithms, so that a lamp's strength and tint are sums, and smooth fields that tell one light from another.

A *feature* is (brightness, red against green, blue against green), each the logarithm of pixel values. Light falls smoothly over a
table, so the difference between two lights is a low polynomial of the place, fitted robustly: pieces are the exceptions.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.view import Array

FLOOR = 4.0  # added to pixel values: below it a camera sees nothing but its own noise
GAMMA = 2.2  # how cameras write light down
CLIPPED = 250  # from here a channel says only "at least"
_LOG = np.log(np.arange(256) + FLOOR).astype(np.float32)
# From log(blue), log(green), log(red) to the features.
_MIX = np.array([[0.11, 0.59, 0.30], [0.0, -1.0, 1.0], [1.0, -1.0, 0.0]], np.float32)


def features(pixels: Array) -> Array:
    """Features of pixels in BGR order."""
    return np.asarray(cv2.transform(cv2.LUT(pixels, _LOG), _MIX))


def brighter_by(feature: tuple[float, float, float], white: float) -> tuple[float, float, float]:
    """The feature with white light added, a share of full white; taken off if negative, but never all that is there, and to what is
    black not so much that it would be as grey as a shadow."""
    green = feature[0] - 0.30 * feature[1] - 0.11 * feature[2]
    values = np.maximum(np.exp([green + feature[2], green, green + feature[1]]) - FLOOR, 0.0)
    linear = (values / 255) ** GAMMA
    logs = np.log(255 * np.clip(linear + min(white, 0.5 * float(linear.max())), 0.25 * linear, 1.0) ** (1 / GAMMA) + FLOOR)
    bright, red, blue = (float(x) for x in _MIX @ logs)
    return bright, red, blue


def features_of(linear: Array) -> Array:
    """Features of light given as shares of full white, blue, green and red."""
    return np.asarray(cv2.transform(np.log(255 * linear ** np.float32(1 / GAMMA) + FLOOR).astype(np.float32), _MIX))


def variance_of(linear: Array, variance: Array) -> Array:
    """Variance of the features of light whose colours have these variances."""
    values = 255 * np.maximum(linear, 1e-4) ** np.float32(1 / GAMMA)
    steep = values / (np.maximum(linear, 1e-4) * GAMMA * (values + FLOOR))
    return np.asarray(cv2.transform((steep**2 * variance).astype(np.float32), _MIX**2))


def feature_noise(pixels: Array, noise: Noise) -> Array:
    """Variance of each feature that the camera's own noise makes."""
    table = noise.variance_of_log.astype(np.float32)
    return np.asarray(cv2.transform(cv2.LUT(pixels, table), _MIX**2))


class Noise:
    """A camera's noise: variance of a pixel value = a + b × value, from pairs of pictures of the same thing."""

    def __init__(self, a: float, b: float) -> None:
        self.a, self.b = a, b
        values = np.arange(256)
        self.variance = a + b * values
        self.variance_of_log = self.variance / (values + FLOOR) ** 2

    @classmethod
    def between(cls, one: Array, other: Array) -> Noise:
        """Learned from two pictures of which most did not change."""
        values = (one.reshape(-1).astype(np.float32) + other.reshape(-1)) / 2
        apart = np.abs(one.reshape(-1).astype(np.float32) - other.reshape(-1))
        levels, variances = [], []
        for low in range(4, 244, 20):
            there = apart[(values >= low) & (values < low + 20)]
            if len(there) >= 200:
                # Median of |difference| of two equal noises is 0.6745·√2 of one's deviation; half a step of rounding at least.
                levels.append(low + 10)
                variances.append((max(float(np.median(there)), 0.5) / (0.6745 * 2**0.5)) ** 2)
        if len(levels) < 2:
            return cls(4.0, 0.02)
        slope = max(float(np.polyfit(levels, variances, 1)[0]), 0.0)
        return cls(max(float(np.median(np.array(variances) - slope * np.array(levels))), 0.5), slope)


def clipped(pixels: Array) -> Array:
    """In how many channels each pixel is too bright to tell more than "at least this"."""
    return np.asarray((pixels >= CLIPPED).sum(-1), np.uint8)


class Field:
    """A smooth field over the board: a quadratic of the place for each feature."""

    def __init__(self, coefficients: Array, size: tuple[float, float]) -> None:
        self.coefficients, self.size = coefficients, size

    def at(self, points: Array) -> Array:
        return np.asarray(_basis(points, self.size) @ self.coefficients, np.float32)

    def __add__(self, other: Field) -> Field:
        return Field(self.coefficients + other.coefficients, self.size)


def flat_field(size: tuple[float, float]) -> Field:
    return Field(np.zeros((6, 3)), size)


def _basis(points: Array, size: tuple[float, float]) -> Array:
    x = np.asarray(points[..., 0]) / size[0] * 2 - 1
    y = np.asarray(points[..., 1]) / size[1] * 2 - 1
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)


def fit_field(points: Array, values: Array, size: tuple[float, float], weights: Array | None = None) -> Field:
    """The field that most of these values lie on; exceptions weigh nothing."""
    basis = _basis(points, size)
    given = np.ones(len(values)) if weights is None else weights
    coefficients = np.zeros((6, values.shape[1]))
    for feature in range(values.shape[1]):
        target = values[:, feature].astype(np.float64)
        middle = np.median(target)
        coefficients[0, feature] = middle
        # A little resistance against bending keeps a few points from making a wild field.
        ridge = np.diag([0.0, 1, 1, 2, 2, 2]) * 1e-3 * len(target)
        for _ in range(6):
            off = target - basis @ coefficients[:, feature]
            scale = max(1.4826 * float(np.median(np.abs(off))), 1e-3)
            trust = given / (1 + (off / (2 * scale)) ** 2) ** 2
            left = basis.T @ (basis * trust[:, None]) + ridge
            coefficients[:, feature] = np.linalg.solve(left, basis.T @ (target * trust))
    return Field(coefficients, size)
