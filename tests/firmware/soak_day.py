"""24 hours of the die's life in virtual time: python -m tests.firmware.soak_day [hours] [seed]"""

from __future__ import annotations

import sys
import time

from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import EmulatedDie
from tests.firmware.virtual_day import assert_all_went_well, live


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 24.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    emulated_die.build()
    started = time.monotonic()
    with EmulatedDie(paused=True, seed=seed) as die:
        day = live(die, hours, seed)
    assert_all_went_well(day)
    print(f"{day.hours:.1f} hours of virtual time in {time.monotonic() - started:.0f} s: {day.presses} presses, "
          f"{len(day.rolls)} rolls, all proven; {day.status}")


if __name__ == "__main__":
    main()
