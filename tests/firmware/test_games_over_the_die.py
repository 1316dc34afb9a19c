"""Whole games over the emulated die through the companion's serial host, each fault injected at random during play.

Nothing may be lost, doubled or wrong: what arrived is compared with what the die put on the line before the fault.
The game is Fighting Marines, two dice at each of its throws; the wrap of the sequence needs a longer one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.events import Roll
from firmware.emulator.emulated_die import BAUD, EmulatedDie
from tests.firmware.evening import Evening, GameAtTheTable
from tests.firmware.virtual_day import assert_all_went_well, live

pytestmark = pytest.mark.slow
NewEvening = Callable[..., Evening]
SPEED = 2.0  # twice real time: a press takes 30 ms of the die's time


@pytest.fixture
def new_evening(new_die: Callable[..., EmulatedDie]) -> Iterator[NewEvening]:
    def make(game: str = "fighting_marines", dice: int = 1, speed: float = SPEED, **options: Any) -> Evening:
        made = [new_die(speed=speed, seed=10 + number) for number in range(dice)]
        return Evening(made, GameAtTheTable(game, seed=4), **options)

    return make


Press = Callable[[Evening, random.Random], None]


def clean(evening: Evening, rng: random.Random) -> None:
    evening.tap()


def noise(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "noise", rng.choice((0.0, 0.01, 0.05)))
    evening.die.inject("to_host", rng.randbytes(rng.randrange(1, 60)))
    evening.die.inject("to_die", rng.randbytes(rng.randrange(1, 60)))
    evening.tap()


def bit_errors_both_ways(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "corrupt", rng.choice((0.0, 0.01, 0.03)))
    evening.tap()


def byte_loss(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "drop", rng.choice((0.0, 0.01, 0.03)))
    evening.tap()


def doubled_bytes(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "double_bytes", rng.choice((0.0, 0.01, 0.03)))
    evening.tap()


def doubled_frames(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "double_frames", rng.choice((0.2, 0.5, 1.0)))
    evening.tap()


def truncated_frames(evening: Evening, rng: random.Random) -> None:
    evening.die.fault("both", "truncate", rng.choice((0.0, 0.1, 0.3)))
    evening.tap()


def unplug_and_replug(evening: Evening, rng: random.Random) -> None:
    """The die has its own power: it is pressed while the cable is out."""
    before = len(evening.journal)
    evening.die.pause()
    evening.die.unplug()
    evening.die.tap("B", 30)
    evening.die.run(rng.uniform(30, 400))
    evening.die.plug()
    evening.die.resume()
    evening.wait_for(lambda: len(evening.journal) > before, "the roll that was made while the cable was out")


def reset_in_the_middle_of_a_roll(evening: Evening, rng: random.Random) -> None:
    """Somewhere between the edge of the pin and well after the last byte; then a press that counts."""
    if rng.random() < 0.5:
        evening.tap()
        return
    evening.die.pause()
    evening.die.tap("B", 30)
    evening.die.run(rng.uniform(0, 12))
    evening.note_truth()
    evening.die.reset(rng.choice(("external", "power", "brownout", "watchdog")))
    evening.resets += 1
    evening.die.resume()
    evening.wait_until_healthy()
    evening.wait_until_linked()


def receiver_overrun(evening: Evening, rng: random.Random) -> None:
    evening.die.overrun(rng.randrange(1, 40))
    if rng.random() < 0.5:  # more than its buffer holds, at the speed of the line
        evening.die.inject("to_die", b"$00,HELLO,1*0000\n" * 60)
    evening.tap()


def wrong_baud(evening: Evening, rng: random.Random) -> None:
    evening.die.tell(f"baud {rng.choice((9_600, 57_600, 115_200, 500_000))}")
    evening.tap()
    evening.pass_virtual(rng.uniform(50, 300))
    evening.die.tell(f"baud {BAUD}")


def bounce(evening: Evening, rng: random.Random) -> None:
    evening.die.bounce("B", True, rng.randrange(1, 30), rng.uniform(100, 4500))
    evening.pass_virtual(40)
    evening.die.bounce("B", False, rng.randrange(1, 30), rng.uniform(100, 4500))
    evening.pass_virtual(20)


def glitch_shorter_than_the_debounce(evening: Evening, rng: random.Random) -> None:
    for _ in range(rng.randrange(1, 8)):
        evening.die.glitch(rng.choice("AB"), rng.uniform(1, 4900))
        evening.pass_virtual(12)
    evening.tap()


def stuck_button(evening: Evening, rng: random.Random) -> None:
    if rng.random() < 0.7:
        evening.tap()
        return
    seen = len(evening.changes)
    evening.die.pause()
    evening.die.press("B")
    evening.die.run(10_500)
    evening.die.resume()
    evening.wait_for(lambda: evening.saw("stuck", seen), "the stuck button")
    evening.die.release("B")
    evening.wait_for(lambda: evening.saw("freed", seen), "the freed button")


def dead_adc(evening: Evening, rng: random.Random) -> None:
    if rng.random() < 0.7:
        evening.tap()
        return
    seen, rolls = len(evening.changes), len(evening.journal)
    evening.die.constant(rng.uniform(0, 5000))
    evening.wait_for(lambda: evening.saw("no_entropy", seen), "the die that does not trust its source")
    evening.tap()
    evening.pass_virtual(100)
    assert len(evening.journal) == rolls, "it rolled without entropy"
    evening.die.noise()
    evening.wait_until_healthy()
    evening.tap()


FAULTS: list[Press] = [
    noise,
    bit_errors_both_ways,
    byte_loss,
    doubled_bytes,
    doubled_frames,
    truncated_frames,
    unplug_and_replug,
    reset_in_the_middle_of_a_roll,
    receiver_overrun,
    wrong_baud,
    bounce,
    glitch_shorter_than_the_debounce,
    stuck_button,
    dead_adc,
]
ON_THE_LINE = FAULTS[:6]
ON_THE_BUTTON = (bounce, glitch_shorter_than_the_debounce)


def name_of(press: Press) -> str:
    return press.__name__


def test_a_whole_game_without_any_fault(new_evening: NewEvening) -> None:
    evening = new_evening()
    evening.play(clean, seed=1)
    evening.assert_nothing_lost_doubled_or_wrong()
    assert set(evening.verdicts.values()) == {"proven"}


@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
def test_a_whole_game_loses_doubles_and_mistakes_nothing_with(fault: Press, new_evening: NewEvening) -> None:
    evening = new_evening()
    evening.play(fault, seed=2)
    evening.assert_nothing_lost_doubled_or_wrong()
    happened = evening.die.tell("now")
    if fault in ON_THE_LINE:
        assert happened["faults"] > 0, "no fault was injected: this game has shown nothing"
    if fault is receiver_overrun:
        assert happened["overruns"] > 0
    if fault is reset_in_the_middle_of_a_roll:
        assert evening.resets > 0
    if fault in ON_THE_BUTTON:
        assert len(evening.journal) == len([event for event in evening.game.events if isinstance(event, Roll)])


def test_a_whole_game_with_every_fault_at_random(new_evening: NewEvening) -> None:
    def anything(evening: Evening, rng: random.Random) -> None:
        evening.die.clear_faults()
        rng.choice(FAULTS)(evening, rng)

    evening = new_evening()
    evening.play(anything, seed=3)
    evening.assert_nothing_lost_doubled_or_wrong()


def test_two_dice_at_once_on_one_table(new_evening: NewEvening) -> None:
    evening = new_evening(dice=2)
    evening.play(clean, seed=4)
    evening.assert_nothing_lost_doubled_or_wrong()
    assert len(evening.received(0)) > 0
    assert len(evening.received(1)) > 0


def test_sequence_wrap_in_a_game_of_some_four_hundred_throws(new_evening: NewEvening) -> None:
    evening = new_evening("kop_the_kaiser", speed=4.0)
    evening.play(clean, seed=5)
    assert len(evening.journal) + len(evening.verdicts) > 256
    evening.assert_nothing_lost_doubled_or_wrong()


def test_a_quarter_of_an_hour_of_virtual_time_and_24_hours_in_the_soak(new_die: Callable[..., EmulatedDie]) -> None:
    """`python -m tests.firmware.soak_day` lives the whole 24 hours by the same rules."""
    assert_all_went_well(live(new_die(paused=True), hours=0.25))
