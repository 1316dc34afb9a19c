"""Soak: `python -m tests.dice.soak_noise [frames] [seed]`; a million frames by default, shared among the error rates.

Exits with 1 if a roll was wrong, doubled or lost, or failed its proof.
"""

from __future__ import annotations

import sys

from tests.dice.noise import Outcome, run

RATES = (0.0, 0.0001, 0.001, 0.01, 0.02, 0.05)


def main(frames: int = 1_000_000, seed: int = 1) -> int:
    outcomes: list[Outcome] = []
    for number, rate in enumerate(RATES):
        outcomes.append(run(rate, frames // len(RATES), seed * 100 + 2 * number))
        print(outcomes[-1], flush=True)
    bad = sum(outcome.wrong() + outcome.doubled() + outcome.lost() + outcome.verdicts.count("failed") for outcome in outcomes)
    print(f"{sum(outcome.frames for outcome in outcomes)} frames, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
