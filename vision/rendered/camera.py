"""A camera over the table, placed so that the board and its tags fit into the frame."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin

import cv2
import numpy as np

from vision.rendered.conditions import Conditions, Pose
from vision.view import Array, Bend, View


def camera(size_mm: tuple[float, float], conditions: Conditions) -> View:
    """The view of a board that lies where it lay first."""
    middle = np.array([size_mm[0] / 2, size_mm[1] / 2])
    bend = Bend((float(middle[0]), float(middle[1])), conditions.curl, conditions.crease)
    if conditions.view is not None:
        bent = any(conditions.curl) or conditions.crease[2]
        return replace(conditions.view, bend=bend) if bent else conditions.view
    aim = middle + np.array(conditions.aim)
    if conditions.height:
        return replace(_from(aim, conditions.height / cos(radians(conditions.tilt)), conditions), bend=bend)
    band = 45.0 if conditions.tags else 12.0
    width, height = size_mm
    needed = np.array([[-band, -band], [width + band, -band], [width + band, height + band], [-band, height + band]])
    far, near = 8000.0, 150.0
    for _ in range(40):  # the nearest place from which everything needed is in the frame
        distance = (far + near) / 2
        view = _from(aim, distance, conditions)
        if _inside(view, needed, conditions.fill):
            far = distance
        else:
            near = distance
    return replace(_from(aim, far, conditions), bend=bend)


def _from(aim: Array, distance: float, conditions: Conditions) -> View:
    side, tilt = radians(conditions.towards), radians(conditions.tilt)
    # From the aimed point to the camera; y runs down the board, so "top" is -y, and up is -z.
    out = np.array([sin(side) * sin(tilt), -cos(side) * sin(tilt), -cos(tilt)])
    forward = -out
    turn = radians(conditions.turn)
    right = np.array([cos(turn), sin(turn), 0.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(forward, right), forward])
    eye = np.array([aim[0], aim[1], 0.0]) + out * distance
    rvec, _ = cv2.Rodrigues(rotation)
    shift = -rotation @ eye
    return View(
        conditions.size, conditions.focal * conditions.size[0], conditions.lens,
        _three(rvec), _three(shift),
    )  # fmt: skip


def _three(values: Array) -> tuple[float, float, float]:
    x, y, z = map(float, values.ravel())
    return x, y, z


def _inside(view: View, points: Array, fill: float) -> bool:
    width, height = view.size
    rotation, _ = cv2.Rodrigues(np.array(view.turn))
    solid = np.concatenate([points, np.zeros((len(points), 1))], 1)
    if ((solid @ rotation.T + np.array(view.shift))[:, 2] < 50).any():
        return False
    seen = np.abs(view.pixels(points) - np.array([width / 2, height / 2])) / np.array([width / 2, height / 2])
    return bool((seen < fill).all())


def moved(view: View, size_mm: tuple[float, float], pose: Pose) -> View:
    """The same camera before the board after it was bumped."""
    if not (pose.dx or pose.dy or pose.degrees):
        return view
    angle = radians(pose.degrees)
    spin = np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1.0]])
    middle = np.array([size_mm[0] / 2, size_mm[1] / 2, 0.0])
    rotation, _ = cv2.Rodrigues(np.array(view.turn))
    shift = rotation @ (middle + np.array([pose.dx, pose.dy, 0.0]) - spin @ middle) + np.array(view.shift)
    rvec, _ = cv2.Rodrigues(rotation @ spin)
    return view.moved(rvec, shift)


def on_table(points: Array, size_mm: tuple[float, float], pose: Pose) -> Array:
    """Board millimetres as they were before the bump: where that point of the board now lies on the table."""
    angle = radians(pose.degrees)
    spin = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    middle = np.array([size_mm[0] / 2, size_mm[1] / 2])
    return np.asarray((np.asarray(points) - middle) @ spin.T + middle + np.array([pose.dx, pose.dy]))


def eye(view: View) -> Array:
    """Where the camera stands, in board millimetres with the height upwards."""
    rotation, _ = cv2.Rodrigues(np.array(view.turn))
    place = -rotation.T @ np.array(view.shift)
    return np.array([place[0], place[1], -place[2]])


def flat(view: View) -> View:
    return replace(view, bend=Bend())


Box = tuple[slice, slice]  # rows and columns of the frame


def box_round(view: View, points: Array) -> Box:
    """The part of the frame in which these points are seen, with a little to spare."""
    seen = view.pixels(points).reshape(-1, 2)
    frame = np.array(view.size)
    left, top = np.clip(np.floor(seen.min(0)) - 3, 0, frame).astype(int).tolist()
    right, bottom = np.clip(np.ceil(seen.max(0)) + 4, 0, frame).astype(int).tolist()
    return slice(top, bottom), slice(left, right)


def ground_map(view: View, height: float, box: Box | None = None, step: int = 16, fine: int = 2) -> Array:
    """For each fine pixel of the frame the millimetres it sees on the face raised by `height`, as (rows, columns, 2) floats.

    Solved on a coarse grid and interpolated between: the mapping is that smooth.
    """
    down, along = box or (slice(0, view.size[1]), slice(0, view.size[0]))
    wide, high = (along.stop - along.start) * fine, (down.stop - down.start) * fine
    columns, rows = -(-wide // step) + 2, -(-high // step) + 2
    x = (np.arange(columns) - 0.5) * step / fine - 0.5 + along.start
    y = (np.arange(rows) - 0.5) * step / fine - 0.5 + down.start
    pixels = np.stack(np.meshgrid(x, y), -1)
    rotation, _ = cv2.Rodrigues(np.array(view.turn))
    raised = replace(view, shift=_three(np.array(view.shift) - height * rotation[:, 2])) if height else view
    coarse = raised.millimetres(pixels).astype(np.float32)
    whole = cv2.resize(coarse, (columns * step, rows * step), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(whole[step : step + high, step : step + wide])
