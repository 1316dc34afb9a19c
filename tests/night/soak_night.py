"""A long night: all five games whole, then game after game at one table, with a fault of some kind every little while.

    python -m tests.night.soak_night              # five whole games, then 50 games
    python -m tests.night.soak_night 3 siege      # three games of Siege
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from companion.games import all_games
from firmware.emulator import emulated_die
from tests.night.evening import Evening

LONGEST = 3600.0  # seconds for one game
FAULTS = ("none", "die", "camera", "eye", "service")


def one_game(evening: Evening, chance: Random, every: int = 25) -> Counter[str]:
    """A game to its end; a fault after every so many acts."""
    counts: Counter[str] = Counter()
    evening.begin()
    end = time.monotonic() + LONGEST
    while not evening.is_over and time.monotonic() < end:
        evening.goes_on(every)
        fault = chance.choice(FAULTS)
        counts[fault] += 1
        if evening.is_over:
            break
        if fault == "die":
            evening.unplug_die()
            evening.goes_on(2)
            evening.plug_die()
        elif fault == "camera":
            evening.take_camera_away()
            evening.goes_on(1)
            evening.bring_camera_back()
        elif fault == "eye":
            evening.kill_eye()
        elif fault == "service":
            known = evening.export()["events"]
            evening.kill_service()
            evening.start_service()
            assert evening.export()["events"][: len(known)] == known
            evening.let_them_play()
    assert evening.is_over, "no end within an hour"
    events = evening.export()["events"]
    counts["seen by the camera"] = sum(e["source"] == "camera" and e["kind"] == "played" for e in events)
    counts["tapped"] = sum(e["source"] == "demonstration" and e["kind"] == "played" for e in events)
    evening.check_record()
    return counts


def main(games: list[str]) -> None:
    emulated_die.build()
    chance = Random(1)
    for number, game in enumerate(games, 1):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, Evening(Path(folder), game, seed=number, pace=6.0) as evening:
            counts = one_game(evening, chance)
        told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        print(f"{number:3} {game:18} {time.monotonic() - began:6.0f} s  {told}", flush=True)


if __name__ == "__main__":
    every = list(all_games())
    if sys.argv[1:]:
        named = sys.argv[2:] or every
        main([named[i % len(named)] for i in range(int(sys.argv[1]))])
    else:
        main(every + [every[i % len(every)] for i in range(50)])
