"""The noise capture for real boards: its firmware in the emulator, and the judgement of what it sends."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware.emulator.emulated_die import FIRMWARE, EmulatedDie
from firmware.noise_report import min_entropy, samples_of, verdict
from tests.firmware.test_build import make


@pytest.fixture(scope="module")
def noise_elf(firmware: None) -> Path:
    make("noise")
    return FIRMWARE / "build" / "noise.elf"


def capture(elf: Path, millivolts: float, deviation: float, seconds: float = 4.0) -> list[int]:
    with EmulatedDie(paused=True, elf=elf) as die:
        die.noise(millivolts, deviation)
        sent = b"".join(die.exchange(b"", 500, 0) for _ in range(int(seconds * 2)))
    return samples_of(sent.decode("ascii").splitlines())


def test_a_noisy_pin_is_called_good(noise_elf: Path) -> None:
    samples = capture(noise_elf, 2500, 30)
    assert len(samples) > 3_900  # one a millisecond
    good, report = verdict(samples)
    assert good, report


@pytest.mark.parametrize(("millivolts", "deviation"), [(0, 0), (2500, 0), (5000, 1), (2502, 0.3)])
def test_a_quiet_pin_is_called_bad_and_the_report_says_what_to_check(
    noise_elf: Path, millivolts: float, deviation: float
) -> None:
    good, report = verdict(capture(noise_elf, millivolts, deviation))
    assert not good
    assert "1 MΩ" in report


def test_a_silent_port_is_told_from_a_quiet_pin() -> None:
    assert verdict([]) == (False, "only 0 samples came: is build/noise.hex flashed, and is this the right port?")


def test_rubbish_and_cut_lines_are_left_out() -> None:
    assert samples_of(["0A0B", "zz" * 32, "01" * 32 + "\r\n", ""]) == [1] * 32


def test_the_estimate_is_near_the_truth() -> None:
    rng = random.Random(1)
    assert 7.3 < min_entropy([rng.randrange(256) for _ in range(20_000)]) <= 8.0
    assert 0.9 < min_entropy([rng.randrange(2) for _ in range(20_000)]) <= 1.0
