"""Many more power cuts than the test run has: python tests/journal/soak_powercuts.py [CUTS] [FIRST_SEED]"""

from __future__ import annotations

import sys

from power_cuts import AcknowledgedEarly, NotSynced, cut_and_count

CUTS_AN_EVENING, STEPS = 500, 300


def main(cuts: int = 20_000, first: int = 1000) -> int:
    lost = corrupt = 0
    evenings = range(first, first + max(1, cuts // CUTS_AN_EVENING))
    for seed in evenings:
        tally = cut_and_count(CUTS_AN_EVENING, seed, STEPS)
        lost, corrupt = lost + tally.lost, corrupt + tally.corrupt
        if tally.lost or tally.corrupt:
            print(f"seed {seed}: {tally}", flush=True)
    done = len(evenings) * CUTS_AN_EVENING
    print(f"{done} power cuts in {len(evenings)} evenings: {lost} lost something acknowledged, {corrupt} corrupt")
    caught = True
    for mutant in (NotSynced, AcknowledgedEarly):
        tally = cut_and_count(CUTS_AN_EVENING, first, STEPS, mutant)
        caught &= tally.lost > 0
        print(f"mutant {mutant.__name__}: {tally.lost} of {tally.cuts} cuts lost something acknowledged")
    return int(bool(lost or corrupt or not caught))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
