"""companion run and companion announce: the table in the evening."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path

import click

from companion.config import Config, load_config
from companion.console import Console
from companion.devices import Devices
from companion.dice.events import DeviceChanged, DeviceHealth, DiceEvent, DiceRolled
from companion.dice.typed import TypedRollError, parse_roll
from companion.journal import Journal, JournalUnavailable
from companion.languages import language
from companion.news import URGENT, News, View
from companion.table import Resume, Table
from companion.voice import Voice, find_engine, find_player

config_option = click.option(
    "--config", "config_file", default="", metavar="FILE", help="Another settings file than the usual one."
)


def settings(file: str) -> Config:
    return load_config(Path(file) if file else None)


def open_journal(path: Path) -> Journal:
    """The journal, or one in memory that says with every receipt that nothing is saved: the game goes on either way."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Journal.open(path)
    except (JournalUnavailable, OSError) as error:
        click.secho(f"{error} Nothing will be saved.", fg="red", err=True)
        return Journal.without_file()


def make_voice(config: Config) -> Voice:
    words = language(config["table", "language"])
    engine = find_engine(words, config["voice", "piper_voice"], config["voice", "engine"])
    return Voice(engine, find_player(), config["voice", "verbosity"], words)


@click.command()
@config_option
@click.option("--journal", "journal_file", default="", metavar="FILE", help="Another journal than the usual one.")
def run(config_file: str, journal_file: str) -> None:
    """The referee of the evening: electronic dice, buttons, voice, and this keyboard for everything else.

    An unfinished game goes on where it stopped. Type 'help' for what can be typed.

    \b
    Example:  companion run
    """
    config = settings(config_file)
    words = language(config["table", "language"])
    journal = open_journal(Path(journal_file) if journal_file else config.journal)
    for notice in journal.notices:
        click.secho(notice, fg="yellow")
    with make_voice(config) as voice, Table(journal, words) as table, Devices(config, table.put) as devices:
        for hear in (show_news, voice.hear, devices.follow):
            table.subscribe(hear)
        if any(g.state == "running" for g in journal.games()):
            table.ask(Resume()).result()
        else:
            click.echo("Type 'start GAME' to begin, 'help' for more.")
        console = Console(table, lambda dice: tuple(secrets.randbelow(6) + 1 for _ in range(dice)))
        for line in sys.stdin:
            if line.strip() in ("quit", "exit"):
                break
            for text in console.line(line):
                click.echo(text)


def show_news(_: View, news: tuple[News, ...]) -> None:
    for item in news:
        if item.text:
            click.secho(item.text, bold=True, fg="red" if item.urgency == URGENT else None)


@click.command()
@config_option
@click.option("--port", "ports", multiple=True, help="A serial port or URL of a die; may be given several times.")
def announce(config_file: str, ports: tuple[str, ...]) -> None:
    """Speak and show every roll, for any game in the house: no rules, no table.

    \b
    Type what wooden dice show ("3 4"), or just Enter to let the companion throw two.
    Example:  companion announce
    """
    config = settings(config_file)
    if ports:
        config = replace(config, values=config.values | {("dice", "ports"): list(ports)})
    dice = 2
    with make_voice(config) as voice:

        def heard(event: DiceEvent) -> None:
            if isinstance(event, DiceRolled):
                tell(event.faces, voice)
            elif isinstance(event, DeviceChanged):
                click.secho(str(event), dim=True)
            if not isinstance(event, DeviceHealth):
                event.confirm()

        with Devices(config, heard):
            click.echo("Ready. Roll, or type a roll; 'quit' leaves.")
            for line in sys.stdin:
                if line.strip() in ("quit", "exit"):
                    break
                try:
                    faces = parse_roll(line) if line.strip() else tuple(secrets.randbelow(6) + 1 for _ in range(dice))
                except TypedRollError as error:
                    click.secho(str(error), fg="red")
                    continue
                dice = len(faces)
                tell(faces, voice)


def announcement(faces: tuple[int, ...]) -> str:
    """'3 and 4, seven in all', with doubles named."""
    if len(faces) == 1:
        return f"{faces[0]}."
    listed = ", ".join(map(str, faces[:-1])) + f" and {faces[-1]}"
    same = {2: "Double", 3: "Triple"}.get(len(faces), "All") if len(set(faces)) == 1 else ""
    return f"{same + ' ' if same else ''}{listed}: {sum(faces)} in all."


FACES = {1: "⚀", 2: "⚁", 3: "⚂", 4: "⚃", 5: "⚄", 6: "⚅"}


def tell(faces: tuple[int, ...], voice: Voice) -> None:
    text = announcement(faces)
    click.secho(" ".join(FACES.get(f, str(f)) for f in faces) + f"   {text}", bold=True)
    voice.say(text)
