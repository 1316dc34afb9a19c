"""companion run --stand-ins: which devices are here, and what stands in for each that is not; and the demonstration evening."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import click

from companion.config import Config
from companion.dice.serial_port import find_ports
from companion.layout import Layout
from companion.table import Table
from companion.voice import Voice

if TYPE_CHECKING:
    from companion.demonstration.players import Players

RENDERED = "rendered"  # the address of the rendered table, as in vision.rendered.stage


class Found(NamedTuple):
    """What is used for each device, and a line for people about it."""

    camera: str
    emulate_die: bool
    lines: tuple[str, ...]


def look_round(config: Config, source: str, emulated_die: bool, voice: Voice) -> Found:
    """A device that is here is used; for one that is not, the best stand-in that this machine can offer."""
    wanted = source or config["camera", "source"]
    if wanted and camera_is_here(wanted):
        camera = f"Camera: {wanted}."
    else:
        why = f"{wanted} is not there" if wanted else "none is set up"
        wanted, camera = RENDERED, f"Camera: a rendered table stands in, synthetic ({why}; see `companion camera list`)."
    ports = config["dice", "ports"] or find_ports()
    emulate = emulated_die or (not ports and emulator_is_here())
    if ports and not emulated_die:
        die = f"Die: {', '.join(ports)}."
    else:
        die = "Die: none is plugged in; " + ("its real firmware runs in the emulator." if emulate else "the companion throws.")
    spoken = "Voice: " + (f"{voice.engine.name}." if voice.engine and voice.player else "none here; everything is shown as text.")
    return Found(wanted, emulate, (camera, die, spoken))


def camera_is_here(address: str) -> bool:
    if address.startswith(RENDERED) or Path(address).exists():
        return True
    from vision.devices import list_cameras  # late: it is heavy

    node = f"/dev/video{address}" if address.isdecimal() else address
    return any(known.address == node for known in list_cameras())


def emulator_is_here() -> bool:
    """It is built, or can be."""
    firmware = Path(__file__).parents[2] / "firmware"
    built = (firmware / "build" / "die.elf").exists() and (firmware / "build" / "emulator" / "die_emulator").exists()
    return built or all(shutil.which(program) for program in ("avr-gcc", "make", "gcc"))


def without_pins(config: Config, pins: Sequence[Path] | None = None) -> Config:
    """A machine that has no pins is not asked for its buttons, so that nobody reads of a fault that is none."""
    if sorted(Path("/dev").glob("gpiochip*")) if pins is None else pins:
        return config
    return replace(config, values=config.values | {("gpio", "on"): False})


class Line(Protocol):
    def send(self, message: Any) -> None: ...


class RenderedHands:
    """Hands over the rendered table, each from its seat's side."""

    def __init__(self, table: Table, eye: Line) -> None:
        self.table, self.eye = table, eye

    def put(self, layout: Layout, seat: str, at_once: bool = False) -> None:
        seats = self.table.view.ledger.terms.seats if self.table.view.ledger else ()
        side = 180.0 + 360.0 * seats.index(seat) / len(seats) if seat in seats else 180.0
        standing = {"layout": [list(s) for s in layout.standing], "platform": layout.platform}
        self.eye.send({"stage": standing | {"side": side % 360, "at_once": at_once}})


def players_at(
    evening: ExitStack, table: Table, eye: Line, throw: Callable[[int], tuple[int, ...] | None], waits_for_die: bool, pace: float
) -> Players:
    """Computer players for the seats that nobody holds, moving the rendered pieces. They begin when they are asked to."""
    from companion.demonstration.players import Players

    players = Players(table, RenderedHands(table, eye), throw, pace=pace, waits_for_die=lambda: waits_for_die and _has_die(table))
    players.start()
    evening.callback(players.stop)
    return players


def _has_die(table: Table) -> bool:
    return any(" is ready" in state for _, state in table.view.devices)


def seats_of_guests(access: Any) -> Callable[[], Collection[str]]:
    """The seats that people hold."""
    return lambda: {guest.seat for guest in access.guests() if guest.seat}


def say_all(lines: Collection[str]) -> None:
    for line in lines:
        click.echo(line)
