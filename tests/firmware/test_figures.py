"""The figures that the protocol promises, in virtual time: the same on every machine (`python -m tests.firmware.figures`)."""

from __future__ import annotations

import pytest

from tests.firmware import figures

pytestmark = pytest.mark.usefixtures("firmware")


def test_from_pin_edge_to_the_last_byte_of_the_event_it_takes_at_most_9_ms() -> None:
    for name, values in figures.latencies(count=60).items():
        assert max(values) <= 9.0, name
        assert min(values) >= 5.0, f"{name}: quicker than the debounce, so something is wrong with the measurement"


def test_a_hundred_rolls_a_second_are_made_sent_and_acknowledged() -> None:
    assert figures.rolls_a_second(200) >= 100


def test_every_command_is_answered_when_they_come_back_to_back() -> None:
    assert figures.frames_a_second_streaming() >= 1000
