"""What a lamp mirrors in the varnish of a platform stays where the lamp is while the platform turns under it.

A gleam adds the same white light to every colour; a lamp that falls elsewhere multiplies all of them. Both change slowly from place to
place, and prints of several colours lie close together: so the two are told apart by fitting, round every pixel, the light that is
seen against the light that is expected.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.light import FLOOR, GAMMA, features_of, variance_of
from vision.view import Array

AROUND = 25.0  # millimetres on each side within which both are taken as constant
ROUNDS = 4  # of fitting; pieces stand out more in each
# A lamp's light and its mirror image are seldom stronger than this: what is, is no light.
GAINS, VEILS = (0.6, 1.6), (-0.25, 0.25)  # as a share, and as a share of full white
USUAL = 0.1  # share of its own light, and of what the camera adds to it, by which honest print strays at first
MOST = 0.3  # what strays further is no print but an arm: of the light round it nothing is known
DARK = 0.02  # the latter, as a share of full white
PRIOR = (USUAL / 0.3) ** 2, (USUAL / 0.05) ** 2  # against how far gain and veil may stray


def linear(features: Array) -> Array:
    """Light of blue, green and red, as shares of full white, from features."""
    green = features[..., 0] - 0.30 * features[..., 1] - 0.11 * features[..., 2]
    logs = np.stack([green + features[..., 2], green, green + features[..., 1]], -1)
    return np.asarray((np.maximum(np.exp(logs) - FLOOR, 0.0) / 255) ** GAMMA, np.float32)


def under_this_light(expected: Array, pixels: Array, known: Array, pitch: float, looks: float) -> tuple[Array, Array]:
    """The expected features as they should look with this picture's gleams, and without those of the picture they were taken from;
    and the variance that they have from it: what lay in a strong gleam is known badly. `looks`: how many independent looks a pixel
    counts for."""
    print_, seen = linear(expected), (pixels.astype(np.float32) / 255) ** np.float32(GAMMA)
    wide = 2 * round(AROUND / pitch) + 1

    def around(values: Array) -> Array:
        return np.asarray(cv2.boxFilter(values, cv2.CV_32F, (wide, wide), normalize=False, borderType=cv2.BORDER_CONSTANT))

    # Print strays by a share of its light: what is dark tells most about a veil.
    scale = (print_ + np.float32(DARK)) ** 2
    one, two, three = 1 / scale, print_ / scale, print_ * print_ / scale
    mixed, light = seen * two, seen * one
    given = known * np.float32(looks)
    trust = given
    gain, veil = np.ones(known.shape, np.float32), np.zeros(known.shape, np.float32)
    for _ in range(ROUNDS):
        total, first, both = around(trust * one.sum(-1)) + PRIOR[1], around(trust * two.sum(-1)), around(trust * light.sum(-1))
        square, product = around(trust * three.sum(-1)) + PRIOR[0], around(trust * mixed.sum(-1)) + PRIOR[0]
        under = np.maximum(square * total - first * first, 1e-6)
        gain = np.clip((product * total - first * both) / under, *GAINS)
        veil = np.clip((both - gain * first) / total, *VEILS)
        left = ((seen - gain[..., None] * print_ - veil[..., None]) ** 2 / scale).sum(-1)
        usual = around(trust * left) / np.maximum(around(trust), 1e-6) + 1e-6
        trust = given / (1 + left / usual) ** 2
    # The lamp may be of any colour, but it is the same lamp everywhere.
    heavy = trust * veil
    tint = np.array([float((heavy * (seen[..., c] - gain * print_[..., c])).sum()) for c in range(3)], np.float32)
    tint /= max(float((heavy * veil).sum()), 1e-6)
    relit = np.clip(gain[..., None] * print_ + veil[..., None] * np.clip(tint, 0.5, 1.5), 0.0, 1.0)
    is_print = (usual / 3 < MOST**2)[..., None]
    return np.where(is_print, features_of(relit), expected), np.where(is_print, variance_of(relit, usual[..., None] * scale / 3), 0)
