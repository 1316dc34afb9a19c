"""The flashed binary rolls fairly, and the same test catches a build that does not.

The run is the same every time (virtual time, seeded noise). `python -m tests.firmware.soak_fairness` does 600,000.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.dice import proof
from companion.dice.protocol import AskCommitment, AskRoll, GiveNonce, Revealed, parse_commitment
from firmware.emulator.emulated_die import EmulatedDie
from tests.firmware.fairness import (
    BOUNDS_5_DEGREES,
    BOUNDS_25_DEGREES,
    build_biased,
    face_chi_square,
    is_fair,
    lag_chi_square,
    roll_many,
)
from tests.firmware.lockstep import LockstepHost

COUNT = 60_000


@pytest.mark.slow
def test_sixty_thousand_d6_of_the_flashed_binary_are_uniform_and_independent(firmware: None) -> None:
    with EmulatedDie(paused=True, seed=2) as die:
        faces = list(roll_many(die, COUNT))
    assert len(faces) == COUNT
    assert BOUNDS_5_DEGREES[0] < face_chi_square(faces) < BOUNDS_5_DEGREES[1]
    assert BOUNDS_25_DEGREES[0] < lag_chi_square(faces) < BOUNDS_25_DEGREES[1]


@pytest.mark.slow
def test_a_deliberately_biased_build_is_caught_by_the_same_test(firmware: None, tmp_path: Path) -> None:
    with EmulatedDie(paused=True, seed=2, elf=build_biased(tmp_path, 6)) as die:
        faces = list(roll_many(die, COUNT))
    assert not is_fair(faces)


def test_the_host_catches_the_biased_build_by_commit_and_reveal(firmware: None, tmp_path: Path) -> None:
    caught = 0
    with EmulatedDie(paused=True, elf=build_biased(tmp_path, 6)) as die:
        host = LockstepHost(die)
        host.link()
        host.wait_until_healthy()
        for _ in range(20):
            number, commitment = parse_commitment(host.do(AskCommitment(0)))
            host.do(GiveNonce(0, number, bytes(16)))
            host.do(AskRoll(0, 5, 6))
            host.hear(50)
            reveal = host.events[-1]
            assert isinstance(reveal, Revealed)
            roll = host.rolls[-1]
            caught += not proof.is_proven(commitment, reveal.secret, bytes(16), roll.sides, roll.faces)
    assert caught > 15


def test_the_statistics_pass_good_dice_and_catch_bad_ones() -> None:
    rng = random.Random(1)
    fair = [rng.randint(1, 6) for _ in range(COUNT)]
    loaded = [6 if rng.random() < 0.02 else face for face in fair]
    sticky = [fair[0]]
    for face in fair[1:]:
        sticky.append(sticky[-1] if rng.random() < 0.03 else face)
    too_even = [place % 6 + 1 for place in range(COUNT)]
    assert is_fair(fair)
    assert not is_fair(loaded)
    assert not is_fair(sticky)
    assert not is_fair(too_even)
