"""Many rolls out of the flashed binary in virtual time, and the statistics that judge them."""

from __future__ import annotations

import itertools
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.dice.protocol import Ack, AskRoll, Framer, Rolled, decode_from_die, encode
from firmware.emulator.emulated_die import FIRMWARE, EmulatedDie
from tests.firmware.lockstep import LockstepHost

FACES = 6
DICE_AT_ONCE = 5
# Both tails together 1 %: 0.5 % and 99.5 % points of the chi-square distribution, from any table of it.
BOUNDS_5_DEGREES = (0.412, 16.750)
BOUNDS_25_DEGREES = (10.520, 46.928)


def roll_many(die: EmulatedDie, count: int) -> Iterator[int]:
    """That many d6, as the host's command rolls them: the next command rides with the acknowledgement."""
    host = LockstepHost(die)
    hello = host.link()
    host.wait_until_healthy()
    framer, seq, rolled, number = Framer(), 0x80, 0, 0
    data = b""
    while rolled < count:
        seq = seq % 255 + 1
        data += encode(AskRoll(seq, DICE_AT_ONCE, FACES))
        roll = None
        for _ in range(20):
            messages = map(decode_from_die, framer.feed(die.exchange(data, 50, 2)))
            roll = next((message for message in messages if isinstance(message, Rolled)), None)
            data = b""
            if roll and roll.number == number + 1:
                break
        assert roll is not None
        number = roll.number
        rolled += len(roll.faces)
        data = encode(Ack(roll.seq, hello.boot))
        yield from roll.faces


def chi_square(counts: Sequence[int]) -> float:
    """Of a uniform distribution over these cells."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def face_chi_square(faces: Sequence[int]) -> float:
    """5 degrees of freedom."""
    seen = Counter(faces)
    return chi_square([seen[face] for face in range(1, FACES + 1)])


def lag_chi_square(faces: Sequence[int]) -> float:
    """Whether a face depends on the one before: 25 degrees of freedom."""
    pairs = Counter(itertools.pairwise(faces))
    total = len(faces) - 1
    first, second = Counter(faces[:-1]), Counter(faces[1:])
    value = 0.0
    for left in range(1, FACES + 1):
        for right in range(1, FACES + 1):
            expected = first[left] * second[right] / total
            value += (pairs[left, right] - expected) ** 2 / expected
    return value


def is_fair(faces: Sequence[int]) -> bool:
    face, lag = face_chi_square(faces), lag_chi_square(faces)
    return BOUNDS_5_DEGREES[0] < face < BOUNDS_5_DEGREES[1] and BOUNDS_25_DEGREES[0] < lag < BOUNDS_25_DEGREES[1]


def build_biased(folder: Path, bits: int) -> Path:
    """The same firmware, but with the plain remainder of so many bits: what rejection sampling is there against."""
    subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={folder}", f"EXTRA=-DBIASED_BITS={bits}", f"{folder}/die.elf"],
        check=True,
    )
    return folder / "die.elf"
