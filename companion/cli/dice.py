"""companion dice: list, test and watch the dice, and tell how fair they have been."""

from __future__ import annotations

import sys
import threading
import time

import click

from companion.cli.choices import print_json
from companion.cli.history import journal_option, open_reader
from companion.config import load_config
from companion.dice.events import DeviceChanged, DeviceHealth, DiceEvent, DiceRolled
from companion.dice.fairness import Tally
from companion.dice.serial_port import SerialDice, find_ports
from companion.journal import ROLLED


@click.group()
def dice() -> None:
    """The dice of this house.

    \b
    Examples:  companion dice list
               companion dice test --port /dev/ttyUSB0
               companion dice raw
               companion dice fairness
    """


@dice.command("list")
def list_dice() -> None:
    """Ports on which an electronic die may be."""
    given = load_config()["dice", "ports"]
    for port in given or find_ports():
        click.echo(f"{port}{' (from the settings)' if given else ''}")
    if not (given or find_ports()):
        click.echo("No port that may be a die. Name one with --port, or see hardware/TROUBLESHOOTING.md.")


@dice.command()
@click.option("--port", "ports", multiple=True, help="A serial port or URL; may be given several times.")
@click.option("--seconds", default=5.0, show_default=True, help="How long to listen.")
@click.pass_context
def test(ctx: click.Context, ports: tuple[str, ...], seconds: float) -> None:
    """Talk to each die: who it is, how it is, and one roll. Exit code 1 if none answers."""
    answered = threading.Event()
    rolled = threading.Event()

    def heard(event: DiceEvent) -> None:
        if isinstance(event, DeviceChanged):
            click.echo(str(event))
            if event.state == "linked":
                answered.set()
        elif isinstance(event, DeviceHealth):
            click.echo(f"{event.source}: {event.status}")
        elif isinstance(event, DiceRolled):
            click.secho(f"{event.source} rolled {', '.join(map(str, event.faces))}", bold=True)
            rolled.set()
        if not isinstance(event, DeviceHealth):
            event.confirm()

    with SerialDice(heard, ports=list(ports) or load_config()["dice", "ports"] or None) as serial_dice:
        if answered.wait(seconds):
            serial_dice.ask_status()
            serial_dice.ask_roll(1)
            rolled.wait(seconds)
    if not rolled.is_set():
        click.secho("No die answered." if not answered.is_set() else "The die did not roll.", fg="red")
        ctx.exit(1)


@dice.command()
@click.option("--port", "ports", multiple=True, help="A serial port or URL; may be given several times.")
@click.option("--seconds", default=0.0, help="Stop after so long (0: when you press Ctrl-C).")
def raw(ports: tuple[str, ...], seconds: float) -> None:
    """Show every line between the companion and the dice, both ways."""

    def traffic(port: str, way: str, data: bytes) -> None:
        text = "".join(chr(b) if 32 <= b < 127 else "\n" if b == 10 else f"\\x{b:02x}" for b in data)
        for line in text.splitlines():
            click.echo(f"{port} {way} {line}")
        sys.stdout.flush()

    def heard(event: DiceEvent) -> None:
        if not isinstance(event, DeviceHealth):
            event.confirm()

    with SerialDice(heard, ports=list(ports) or load_config()["dice", "ports"] or None, on_traffic=traffic):
        try:
            while seconds == 0:
                time.sleep(1)
            time.sleep(seconds)
        except KeyboardInterrupt:
            click.echo()


@dice.command()
@journal_option
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def fairness(journal_file: str, as_json: bool) -> None:
    """How often each die showed each face, and what that means."""
    tally = Tally()
    with open_reader(journal_file) as reader:
        for entry in reader.all_events():
            if entry.kind == ROLLED and isinstance(entry.body, dict):
                faces = [f for f in entry.body.get("roll", []) if isinstance(f, int)]
                tally.add(entry.source, int(entry.body.get("sides", 6)), faces)
    if as_json:
        print_json(
            [
                {
                    "die": source,
                    "sides": sides,
                    "counts": list(f.counts),
                    "chi_square": f.chi_square,
                    "chance": f.chance,
                    "verdict": f.verdict,
                }
                for (source, sides), f in tally.dice().items()
            ]
        )
        return
    click.echo(tally.report() or "No die has been rolled yet.")
