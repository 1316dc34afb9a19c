"""Power cuts, simulated below SQLite: what a receipt called durable is there afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from power_cuts import AcknowledgedEarly, NotSynced, cut_and_count

CUTS, EVENINGS, STEPS = 2000, 4, 300


@pytest.mark.slow
@pytest.mark.parametrize("evening", range(EVENINGS))
def test_power_cuts_lose_nothing_acknowledged_and_corrupt_nothing(evening: int) -> None:
    tally = cut_and_count(CUTS // EVENINGS, evening, STEPS)
    assert (tally.lost, tally.corrupt) == (0, 0), str(tally)


@pytest.mark.parametrize("mutant", [NotSynced, AcknowledgedEarly])
def test_the_same_check_catches_a_journal_that_promises_too_much(mutant: Callable[[Any], Any]) -> None:
    assert cut_and_count(100, 0, STEPS, mutant).lost > 0
