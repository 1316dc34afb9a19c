"""The gate: movement is noticed at once, stillness within three frames, noise and flicker are neither."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.vision.evening import frame
from vision.gate import Gate
from vision.view import Array

SIZE = (720, 1280, 3)
RATE = 15.0


class Table:
    """A still picture as a camera with this noise sees it, frame by frame."""

    def __init__(self, picture: Array, noise: float, seed: int = 0) -> None:
        self.picture, self.dice = picture.astype(np.float32), np.random.default_rng(seed)
        self.grains = [self.dice.normal(0, noise, picture.shape).astype(np.float32) for _ in range(5)]
        self.count = 0

    def frames(self, count: int, picture: Array | None = None, flicker: float = 0.0) -> Iterator[tuple[Array, float]]:
        for _ in range(count):
            self.count += 1
            shown = self.picture if picture is None else picture.astype(np.float32)
            gain = 1 + flicker * self.dice.uniform(-1, 1)
            yield np.clip(shown * gain + np.roll(self.grains[self.count % 5], self.count, 1), 0, 255).astype(np.uint8), self.count / RATE


def with_hand(picture: Array, x: int) -> Array:
    shown = picture.copy()
    shown[300:720, x : x + 120] = (90, 120, 180)
    return shown


def empty() -> Array:
    return frame("kop_the_kaiser", "empty_s00")


@pytest.mark.parametrize(("noise", "flicker"), [(0.0, 0.0), (2.0, 0.02), (7.0, 0.0), (4.0, 0.01)])
def test_a_still_table_is_still_however_noisy_the_camera(noise: float, flicker: float) -> None:
    gate, table = Gate(), Table(empty(), noise)
    for picture, time in table.frames(8, flicker=flicker):
        gate.is_still(picture, time)
    assert all(gate.is_still(picture, time) for picture, time in table.frames(20, flicker=flicker))
    assert gate.still_frames >= 20


@pytest.mark.parametrize("noise", [1.0, 4.0])
def test_a_moving_hand_is_never_still_and_its_going_is_known_within_three_frames(noise: float) -> None:
    gate, table = Gate(), Table(empty(), noise)
    for picture, time in table.frames(12):
        gate.is_still(picture, time)
    for step in range(10):
        (got,) = table.frames(1, with_hand(empty(), 200 + 60 * step))
        assert not gate.is_still(*got)
        assert gate.moving
    answers = [gate.is_still(*got) for got in table.frames(3)]
    assert answers[-1]


def test_nothing_is_still_before_the_noise_is_known() -> None:
    gate, table = Gate(), Table(empty(), 2.0)
    assert [gate.is_still(*got) for got in table.frames(2)] == [False, False]


def test_a_hand_that_rests_is_still_but_a_change() -> None:
    gate, table = Gate(), Table(empty(), 2.0)
    for got in table.frames(12):
        gate.is_still(*got)
    gate.accept()
    for got in table.frames(3):
        gate.is_still(*got)
    assert gate.changed < 0.001
    hand = with_hand(empty(), 500)
    answers = [gate.is_still(*got) for got in table.frames(6, hand)]
    assert answers[-1]
    assert 0.02 < gate.changed < 0.2


def test_a_fingertip_is_enough() -> None:
    gate, table = Gate(), Table(empty(), 2.0)
    for got in table.frames(12):
        gate.is_still(*got)
    touched = empty().copy()
    touched[400:430, 600:630] = (90, 120, 180)
    (got,) = table.frames(1, touched)
    assert not gate.is_still(*got)


def test_a_fast_camera_is_not_believed_sooner() -> None:
    gate, table = Gate(), Table(empty(), 1.0)
    for n, (picture, _) in enumerate(table.frames(30)):
        gate.is_still(picture, n / 60)
    (got,) = table.frames(1, with_hand(empty(), 500))
    gate.is_still(got[0], 0.5)
    answers = [gate.is_still(picture, 0.5 + n / 60) for n, (picture, _) in enumerate(table.frames(12), 1)]
    assert not any(answers[:7])
    assert answers[-1]


def test_frames_of_another_size_begin_anew() -> None:
    gate, table = Gate(), Table(empty(), 2.0)
    for got in table.frames(12):
        gate.is_still(*got)
    gate.accept()
    assert not gate.is_still(np.zeros((480, 640, 3), np.uint8), 99.0)
    assert gate.changed == 0.0
