"""Whole games with every fault, over and over: python -m tests.firmware.soak_games [games of each fault] [first seed]"""

from __future__ import annotations

import sys
import time

from firmware.emulator import emulated_die
from firmware.emulator.emulated_die import EmulatedDie
from tests.firmware.evening import Evening, GameAtTheTable
from tests.firmware.test_games_over_the_die import FAULTS, SPEED


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    emulated_die.build()
    for fault in FAULTS:
        started, rolls, injected = time.monotonic(), 0, 0
        for seed in range(first, first + games):
            with EmulatedDie(speed=SPEED, seed=seed) as die:
                evening = Evening([die], GameAtTheTable("fighting_marines", seed))
                evening.play(fault, seed)
                evening.assert_nothing_lost_doubled_or_wrong()
                rolls += len(evening.journal)
                injected += die.tell("now")["faults"]
        print(f"{fault.__name__}: {games} games, {rolls} rolls, {injected} faults on the line, nothing lost, doubled or "
              f"wrong ({time.monotonic() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
