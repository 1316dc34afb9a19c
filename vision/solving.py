"""Least squares after Levenberg and Marquardt: small, dense, with numbers for derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Residuals = Callable[[Array], Array]


def slopes(residuals: Residuals, at: Array, steps: Array) -> Array:
    """How each residual changes with each number, by central differences."""
    columns = []
    for i, step in enumerate(steps):
        ahead, behind = at.copy(), at.copy()
        ahead[i] += step
        behind[i] -= step
        columns.append((residuals(ahead) - residuals(behind)) / (2 * step))
    return np.stack(columns, 1)


def least_squares(residuals: Residuals, start: Array, steps: Array, rounds: int = 15) -> tuple[Array, Array]:
    """The numbers that make the residuals smallest, and their information (the inverse of their covariance, for residuals in
    units of their own noise). `steps` are small changes of each number: small enough to be linear, large enough to matter."""
    best = np.array(start, float)
    now = residuals(best)
    cost, damping = float(now @ now), 1e-3
    information = np.eye(len(best))
    for _ in range(rounds):
        slope = slopes(residuals, best, steps)
        information = slope.T @ slope
        downhill = slope.T @ now
        gained = 0.0
        while damping < 1e9:
            change = -np.linalg.lstsq(information + damping * np.diag(np.diag(information) + 1e-12), downhill, rcond=None)[0]
            tried = residuals(best + change)
            if (new := float(tried @ tried)) < cost:
                gained = cost - new
                best, now, cost, damping = best + change, tried, new, damping / 5
                break
            damping *= 5
        if gained <= 1e-6 * cost:
            break
    return best, information
