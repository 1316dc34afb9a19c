"""Buttons and a light on the pins of a Raspberry Pi: `GpioDice`.

    pins = GpioPins(roll={"red": 5, "blue": 6}, ready=13, take_back=19, repeat=26, led=17)
    dice = GpioDice(queue.put, pins); dice.start(); dice.set_due(2); dice.set_light("TURN"); ...; dice.stop()

Each roll button belongs to a seat, or to everyone (seat ""); the roll is made here, by the operating system's random source. The
other buttons come as ButtonPressed "ready", "take_back" and "repeat". Buttons connect the pin to ground. Pins are BCM numbers.

gpiozero calls back on threads of its own; those only note the edge. One thread of ours lets the contacts settle (`debounce.py`)
and tells. On a machine without GPIO, `start` says so once, as DeviceChanged "no_gpio", and everything else does nothing.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from companion.dice.debounce import SETTLE, Debounce
from companion.dice.events import ButtonPressed, DeviceChanged, OnEvent
from companion.dice.local_die import LocalDie
from companion.dice.protocol import LIGHTS

log = logging.getLogger(__name__)

SOURCE = "gpio"
# seconds on, seconds off; None: steady
BLINKS: dict[str, tuple[float, float] | None] = {"TURN": None, "THINK": (0.3, 0.3), "SEARCH": (0.1, 0.9)}


@dataclass(frozen=True)
class GpioPins:
    """What is connected where; None or an empty mapping: not connected."""

    roll: Mapping[str, int] = field(default_factory=dict)  # seat, "" for everyone -> pin
    ready: int | None = None
    take_back: int | None = None
    repeat: int | None = None
    led: int | None = None

    def plain_buttons(self) -> dict[str, int]:
        named = {"ready": self.ready, "take_back": self.take_back, "repeat": self.repeat}
        return {name: pin for name, pin in named.items() if pin is not None}


@dataclass
class _Contact:
    button: Any
    debounce: Debounce
    pressed: Callable[[], object]


class GpioDice:
    """The buttons and the light of one Pi."""

    def __init__(
        self,
        on_event: OnEvent,
        pins: GpioPins,
        factory: Any = None,
        settle: float = SETTLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`factory`: a gpiozero pin factory; None lets gpiozero find one."""
        self._on_event, self._pins, self._factory = on_event, pins, factory
        self._settle, self._clock = settle, clock
        self._contacts: list[_Contact] = []
        self._led: Any = None
        self._due = 1
        self._edges: queue.SimpleQueue[tuple[int, bool, float] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="gpio buttons", daemon=True)

    # --- what the table calls

    def start(self) -> None:
        """Take the pins; says once what cannot be had, and goes on with the rest."""
        if not self._find_factory():
            return
        for seat, pin in self._pins.roll.items():
            die = LocalDie(self._on_event, f"{SOURCE}:{seat}" if seat else SOURCE)
            self._connect(pin, partial(self._roll, die, seat))
        for name, pin in self._pins.plain_buttons().items():
            self._connect(pin, partial(self._tell_button, name))
        if self._pins.led is not None:
            self._led = self._take(self._pins.led, lambda gpiozero, pin: gpiozero.LED(pin, pin_factory=self._factory))
        for index, contact in enumerate(self._contacts):
            contact.button.when_pressed = partial(self._note, index, True)
            contact.button.when_released = partial(self._note, index, False)
        self._thread.start()

    def stop(self) -> None:
        """Every pin is free when this returns."""
        if self._thread.is_alive():
            self._edges.put(None)
            self._thread.join(5)
        for contact in self._contacts:
            contact.button.close()
        if self._led is not None:
            self._led.close()
        self._contacts, self._led = [], None

    def __enter__(self) -> GpioDice:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def set_due(self, count: int) -> None:
        """How many dice the next press rolls; 0 is taken as one."""
        if count not in (0, 1, 2):
            raise ValueError(f"one or two dice are due, not {count}")
        self._due = count or 1

    def set_light(self, state: str) -> None:
        """OFF, TURN (steady), THINK or SEARCH (blinking)."""
        if state not in LIGHTS:
            raise ValueError(f"the light shows {', '.join(LIGHTS)}, not {state}")
        if self._led is None:
            return
        blink = BLINKS.get(state)
        if blink:
            self._led.blink(*blink)
        elif state == "OFF":
            self._led.off()
        else:
            self._led.on()

    # --- pins

    def _find_factory(self) -> bool:
        try:
            import gpiozero

            if self._factory is None:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # about each factory that is not there
                    gpiozero.Device.ensure_pin_factory()
                self._factory = gpiozero.Device.pin_factory
        except Exception as error:  # each factory has exceptions of its own, not all of them related
            self._on_event(DeviceChanged(SOURCE, "no_gpio", _one_line(error)))
            return False
        return True

    def _take(self, pin: int, make: Callable[[Any, int], Any]) -> Any:
        import gpiozero

        try:
            return make(gpiozero, pin)
        except Exception as error:  # a pin that is not there, or is taken; by factory
            self._on_event(DeviceChanged(SOURCE, "bad_pin", _one_line(error), f"GPIO{pin}"))
            return None

    def _connect(self, pin: int, pressed: Callable[[], object]) -> None:
        button = self._take(pin, lambda gpiozero, p: gpiozero.Button(p, pull_up=True, pin_factory=self._factory))
        if button is not None:
            # A button that is down already was not pressed now.
            self._contacts.append(_Contact(button, Debounce(button.is_pressed, self._settle), pressed))

    def _note(self, index: int, level: bool) -> None:
        self._edges.put((index, level, self._clock()))

    # --- the thread

    def _run(self) -> None:
        while True:
            try:
                edge = self._edges.get(timeout=self._until_due())
            except queue.Empty:
                pass
            else:
                if edge is None:
                    return
                index, level, at = edge
                self._contacts[index].debounce.edge(level, at)
            self._look()

    def _until_due(self) -> float | None:
        due = [contact.debounce.due for contact in self._contacts if contact.debounce.due is not None]
        return max(0.0, min(due) - self._clock()) if due else None

    def _look(self) -> None:
        for contact in self._contacts:
            if contact.debounce.due is not None and contact.debounce.settled(contact.button.is_pressed, self._clock()):
                self._press(contact)

    def _press(self, contact: _Contact) -> None:
        try:
            contact.pressed()
        except Exception:
            log.exception("the receiver of button events failed")

    def _roll(self, die: LocalDie, seat: str) -> None:
        die.roll(self._due, cause=seat)

    def _tell_button(self, name: str) -> None:
        self._on_event(ButtonPressed(SOURCE, name))


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
