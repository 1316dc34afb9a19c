"""The dice of this table: electronic ones on serial ports, buttons on a Pi's pins. They follow what the table says is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.config import Config
from companion.dice.events import DiceEvent
from companion.dice.gpio import GpioDice, GpioPins
from companion.dice.serial_port import OnTraffic, SerialDice
from companion.news import News, View


class Dice(Protocol):
    """What every kind of dice can be told."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def set_due(self, count: int) -> None: ...
    def set_light(self, state: str) -> None: ...


class Devices:
    """All dice that the settings want. Each says by itself whether it is there."""

    def __init__(self, config: Config, put: Callable[[DiceEvent], None], on_traffic: OnTraffic | None = None) -> None:
        self.dice: list[Dice] = []
        if config["dice", "serial"]:
            self.dice.append(SerialDice(put, ports=config["dice", "ports"] or None, on_traffic=on_traffic))
        if config["gpio", "on"]:
            self.dice.append(GpioDice(put, gpio_pins(config), settle=config["gpio", "debounce_ms"] / 1000))
        self._told = (0, "")

    def follow(self, view: View, _: tuple[News, ...]) -> None:
        """For `Table.subscribe`: tell the dice how many are due, and whether it is anybody's throw."""
        rolls = [d for d in view.ledger.due if d.what == "roll"] if view.ledger else []
        wanted = (len(rolls[0].dice) if rolls else 1, "TURN" if rolls or not view.ledger else "THINK")
        if wanted != self._told:
            self._told = wanted
            for dice in self.dice:
                dice.set_due(wanted[0])
                dice.set_light(wanted[1])

    def __enter__(self) -> Devices:
        for dice in self.dice:
            dice.start()
        return self

    def __exit__(self, *_: object) -> None:
        for dice in self.dice:
            dice.stop()


def gpio_pins(config: Config) -> GpioPins:
    def pin(name: str) -> int | None:
        return config["gpio", name] or None

    roll = dict(config["gpio", "roll_of_seat"])
    if pin("roll"):
        roll[""] = config["gpio", "roll"]
    return GpioPins(roll, pin("ready"), pin("take_back"), pin("repeat"), pin("light"))
