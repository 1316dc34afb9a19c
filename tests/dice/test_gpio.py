"""Buttons and a light on a Pi's pins: our own debounce, and the driver on gpiozero's mock pins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from companion.dice.debounce import Debounce
from companion.dice.events import ButtonPressed, DeviceChanged, DiceEvent, DiceRolled, OnEvent
from companion.dice.gpio import GpioDice, GpioPins
from tests.dice.test_serial_port import wait_for

PINS = GpioPins(roll={"red": 5, "blue": 6}, ready=13, take_back=19, repeat=26, led=17)


# --- debounce, without pins or threads


def watch(edges: list[tuple[int, bool]], until: int, settle_ms: int = 5) -> list[tuple[int, bool]]:
    """Play edges (millisecond, level) to a debounce that is looked at every millisecond; what it found, and when."""
    debounce, level, found = Debounce(settle=settle_ms), False, []  # any unit of time will do
    waiting = sorted(edges)
    for ms in range(until):
        while waiting and waiting[0][0] == ms:
            level = waiting.pop(0)[1]
            debounce.edge(level, ms)
        if debounce.due is not None and (new := debounce.settled(level, ms)) is not None:
            found.append((ms, new))
    return found


def test_a_clean_press_counts_once_after_it_has_settled() -> None:
    assert watch([(10, True), (100, False)], 200) == [(15, True), (105, False)]


def test_bouncing_contacts_are_one_press_and_one_release() -> None:
    down = [(10 + ms, ms % 2 == 0) for ms in range(9)]
    up = [(100 + ms, ms % 2 == 1) for ms in range(9)]
    assert watch(down + up, 200) == [(23, True), (113, False)]


def test_a_glitch_shorter_than_the_settling_time_is_nothing() -> None:
    assert watch([(10, True), (14, False), (50, True), (51, False)], 200) == []
    assert watch([(10, True), (16, False)], 200) == [(15, True), (21, False)]


def test_a_missed_edge_is_noticed_when_the_level_is_looked_at() -> None:
    debounce = Debounce()
    debounce.edge(True, 1.000)
    assert debounce.settled(False, 1.005) is None  # the way back was missed: settle again
    assert debounce.settled(False, 1.010) is None
    assert debounce.level is False
    assert debounce.due is None


@given(st.lists(st.tuples(st.integers(0, 300), st.booleans()), max_size=60))
def test_whatever_the_contacts_do_presses_and_releases_alternate_and_follow_quiet(edges: list[tuple[int, bool]]) -> None:
    found = watch(edges, 400)
    assert [level for _, level in found] == [place % 2 == 0 for place in range(len(found))]
    for at, _ in found:
        assert not [ms for ms, _ in edges if at - 5 < ms < at]


# --- the driver on mock pins


class Panel:
    """A panel of buttons wired to mock pins, and what the driver told. Its clock goes on only when a test says so."""

    def __init__(self, pins: GpioPins, factory: Any, on_event: OnEvent | None = None) -> None:
        self.factory = factory
        self.events: list[DiceEvent] = []
        self.now = 0.0
        self.dice = GpioDice(on_event or self.events.append, pins, factory, clock=lambda: self.now)

    def down(self, pin: int) -> None:
        self.factory.pin(pin).drive_low()
        self.now += 0.001

    def up(self, pin: int) -> None:
        self.factory.pin(pin).drive_high()
        self.now += 0.001

    def settle(self) -> None:
        """A second later, when the driver has looked at every contact."""
        self.now += 1
        wait_for(lambda: self.dice._edges.empty() and all(map(self._is_settled, self.dice._contacts)))

    def _is_settled(self, contact: Any) -> bool:
        return contact.debounce.due is None and contact.debounce.level == contact.button.is_pressed

    def press(self, pin: int) -> None:
        """Press long enough, and let go."""
        self.down(pin)
        self.settle()
        self.up(pin)
        self.settle()

    def rolls(self) -> list[DiceRolled]:
        return [event for event in self.events if isinstance(event, DiceRolled)]


@pytest.fixture
def panel() -> Iterator[Callable[..., Panel]]:
    panels: list[Panel] = []

    def make(pins: GpioPins = PINS, before: Callable[[Any], None] = lambda _: None) -> Panel:
        factory = MockFactory()
        before(factory)
        panels.append(Panel(pins, factory))
        panels[-1].dice.start()
        return panels[-1]

    yield make
    for each in panels:
        each.dice.stop()
        each.factory.close()


def test_each_seat_rolls_with_its_own_button(panel: Callable[..., Panel]) -> None:
    table = panel()
    for pin in (5, 6, 5):
        table.press(pin)
    told = [(roll.source, roll.cause, roll.number) for roll in table.rolls()]
    assert told == [("gpio:red", "red", 1), ("gpio:blue", "blue", 1), ("gpio:red", "red", 2)]
    assert all(1 <= face <= 6 for roll in table.rolls() for face in roll.faces)


def test_one_button_for_all_belongs_to_no_seat(panel: Callable[..., Panel]) -> None:
    table = panel(GpioPins(roll={"": 5}))
    table.press(5)
    assert (table.rolls()[0].source, table.rolls()[0].cause) == ("gpio", "")


def test_a_press_rolls_as_many_dice_as_are_due(panel: Callable[..., Panel]) -> None:
    table = panel()
    for count in (2, 1, 0):
        table.dice.set_due(count)
        table.press(5)
    assert [len(roll.faces) for roll in table.rolls()] == [2, 1, 1]


def test_the_other_buttons_are_told_by_name(panel: Callable[..., Panel]) -> None:
    table = panel()
    for pin in (13, 19, 26):
        table.press(pin)
    assert table.events == [ButtonPressed("gpio", name) for name in ("ready", "take_back", "repeat")]


def test_a_bouncing_button_rolls_once(panel: Callable[..., Panel]) -> None:
    table = panel()
    for number in range(1, 6):
        for _ in range(20):
            table.down(5)
            table.up(5)
        table.press(5)
        for _ in range(20):
            table.down(5)
            table.up(5)
        table.settle()
        assert len(table.rolls()) == number


def test_a_glitch_rolls_nothing(panel: Callable[..., Panel]) -> None:
    table = panel()
    for _ in range(10):
        table.down(5)
        table.now += 0.003
        table.up(5)
        table.settle()
    assert table.rolls() == []


def test_a_button_that_is_down_at_the_start_does_not_roll_until_it_is_pressed_anew(panel: Callable[..., Panel]) -> None:
    def hold_down(factory: Any) -> None:
        pin = factory.pin(5)
        pin.pull = "up"
        pin.drive_low()

    table = panel(before=hold_down)
    table.press(13)
    assert table.rolls() == []
    table.up(5)
    table.settle()
    table.press(5)
    assert len(table.rolls()) == 1


def test_the_light_shows_every_state(panel: Callable[..., Panel]) -> None:
    table = panel()
    pin = table.factory.pin(17)
    table.dice.set_light("TURN")
    assert pin.state
    table.dice.set_light("OFF")
    assert not pin.state
    for state in ("THINK", "SEARCH"):
        pin.clear_states()
        table.dice.set_light(state)
        wait_for(lambda: len(pin.states) >= 3)
    table.dice.set_light("TURN")
    wait_for(lambda: pin.state)


@pytest.mark.parametrize("wrong", [lambda dice: dice.set_light("RED"), lambda dice: dice.set_due(3)])
def test_a_wrong_wish_is_refused(wrong: Callable[[GpioDice], None]) -> None:
    with pytest.raises(ValueError):
        wrong(GpioDice(lambda _: None, PINS))


def test_a_receiver_that_fails_does_not_stop_the_buttons(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[DiceEvent] = []

    def fail_once(event: DiceEvent) -> None:
        heard.append(event)
        if len(heard) == 1:
            raise RuntimeError("a bug of the table")

    table = Panel(PINS, MockFactory(), fail_once)
    with table.dice:
        table.press(13)
        table.press(13)
    table.factory.close()
    assert len(heard) == 2
    assert "a bug of the table" in caplog.text


def test_a_machine_without_gpio_says_so_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    events: list[DiceEvent] = []
    with GpioDice(events.append, PINS) as dice:
        dice.set_due(2)
        dice.set_light("TURN")
    assert [event.state for event in events if isinstance(event, DeviceChanged)] == ["no_gpio"]
    assert str(events[0]).startswith("No GPIO on this machine (")


class StrangeError(Exception):
    """As lgpio has: related to nothing."""


FACTORY_ERRORS = [gpiozero.BadPinFactory("none"), ImportError("lgpio"), RuntimeError("SOC\nbase"), StrangeError()]


@pytest.mark.parametrize("error", FACTORY_ERRORS, ids=lambda error: type(error).__name__)
def test_whatever_a_pin_factory_raises_means_no_gpio(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(gpiozero.Device, "ensure_pin_factory", staticmethod(fail))
    events: list[DiceEvent] = []
    with GpioDice(events.append, PINS):
        pass
    (event,) = events
    assert isinstance(event, DeviceChanged)
    assert "\n" not in str(event)


def test_a_pin_that_cannot_be_used_is_named_and_the_others_work(panel: Callable[..., Panel]) -> None:
    table = panel(GpioPins(roll={"red": 99, "blue": 6}, ready=6, led=6))
    told = [(event.state, event.port) for event in table.events if isinstance(event, DeviceChanged)]
    assert told == [("bad_pin", "GPIO99"), ("bad_pin", "GPIO6"), ("bad_pin", "GPIO6")]
    table.press(6)
    assert [roll.source for roll in table.rolls()] == ["gpio:blue"]


def test_the_pins_are_free_after_stopping() -> None:
    factory = MockFactory()
    for _ in range(3):
        with GpioDice(lambda _: None, PINS, factory):
            pass
    factory.close()
