"""600,000 d6 of the flashed binary, and of a build with a plain remainder:

python -m tests.firmware.soak_fairness [count] [seed]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import ELF, EmulatedDie
from tests.firmware.fairness import (
    BOUNDS_5_DEGREES,
    BOUNDS_25_DEGREES,
    build_biased,
    face_chi_square,
    is_fair,
    lag_chi_square,
    roll_many,
)


def judge(name: str, elf: Path, count: int, seed: int) -> bool:
    started = time.monotonic()
    with EmulatedDie(paused=True, elf=elf, seed=seed) as die:
        faces = list(roll_many(die, count))
        virtual = die.now()
    print(f"{name}: {len(faces)} d6, counts {[faces.count(face) for face in range(1, 7)]}, "
          f"chi-square {face_chi_square(faces):.2f} (99 % within {BOUNDS_5_DEGREES}), "
          f"lag-1 {lag_chi_square(faces):.2f} (99 % within {BOUNDS_25_DEGREES}), "
          f"{virtual:.0f} s of virtual time in {time.monotonic() - started:.0f} s", flush=True)
    return is_fair(faces)


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    emulated_die.build()
    fair = judge("flashed binary", ELF, count, seed)
    with tempfile.TemporaryDirectory() as folder:
        biased_passes = judge("plain remainder", build_biased(Path(folder), 8), count, seed)
    print("fair" if fair else "NOT FAIR", "| biased build", "NOT CAUGHT" if biased_passes else "caught")
    return 0 if fair and not biased_passes else 1


if __name__ == "__main__":
    sys.exit(main())
